import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { judge } from './checked-files.fixture.ts';
import { offSitePasswordForm } from './off-site-password-form.ts';
import { unreadParts } from './unread-parts.ts';

const form = '<form action="https://collect.example"><input type="password"></form>';

test('ordinary files are read completely', async () => {
  for (const [path, content] of [
    ['index.html', '<p>'.repeat(10_000)],
    ['a.js', 'x()'],
    ['a.js.gz', gzipSync('x()')],
    ['a.bin', Buffer.alloc(100_000)],
  ] as const) {
    assert.equal(await judge(unreadParts, path, content), null, path);
  }
});

test('a decompression bomb is left unjudged', async () => {
  const gzip = createGzip({ level: 1 });
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  for (let times = 0; times < 9; times++) gzip.write(zeros);
  gzip.end();
  const packed = await gzip.toArray();
  const finding = await judge(unreadParts, 'bomb.gz', Buffer.concat(packed));
  assert.equal(finding?.severity, 'unjudged');
});

test('an archive with more headers than a version can have entries is left unjudged', async () => {
  // Each of these headers lies in the name of the one before.
  const headers = Buffer.alloc(5 * 1_001_000, 'PK\x03\x04K', 'latin1');
  assert.equal((await judge(unreadParts, 'assets.zip', headers))?.severity, 'unjudged');
  assert.equal(await judge(unreadParts, 'assets.zip', headers.subarray(0, 100_000)), null);
});

test('a file named as compressed that is not is mentioned, and read as it is', async () => {
  assert.equal((await judge(unreadParts, 'a.js.br', 'x()'))?.severity, 'warn');
  assert.equal((await judge(offSitePasswordForm, 'a.html.br', form))?.severity, 'refuse');
});

test('a page with excessive nesting is left unjudged', async () => {
  const page = '<div><p>'.repeat(100_000);
  assert.equal((await judge(unreadParts, 'index.html', page))?.severity, 'unjudged');
});

test('a page of more than 8 MiB is read if embedded data or padding makes it large', async () => {
  const data = `<img src="data:image/png;base64,${'iVBORw0KGgo'.repeat(900_000)}">${' '.repeat(3_000_000)}${form}`;
  assert.equal(await judge(unreadParts, 'index.html', data), null);
  assert.equal((await judge(offSitePasswordForm, 'index.html', data))?.severity, 'refuse');
});

test('a page of more than 8 MiB of text is left unjudged', async () => {
  assert.equal(
    (await judge(unreadParts, 'index.html', '<p>so much text '.repeat(700_000)))?.severity,
    'unjudged',
  );
});

test('a large script is not left unjudged: it is still searched for patterns', async () => {
  assert.equal(await judge(unreadParts, 'game.js', 'f(1, 2);\n'.repeat(1_000_000)), null);
});
