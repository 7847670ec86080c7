import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionOf } from '../checked-files.fixture.ts';
import { eachFile } from './each-file.ts';

const finding = (path: string) => ({ rule: 'r', severity: 'warn', path, message: 'm', fix: 'f' }) as const;

test('findings come in the order of the files', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `${index}.html`);
  const version = versionOf(
    Object.fromEntries(names.map((name, index) => [name, 'x'.repeat((50 - index) * 100)])),
  );
  const findings = await eachFile(version, { visit: ({ path }) => [finding(path)] });
  assert.deepEqual(
    findings.map(({ path }) => path),
    names,
  );
});

test('a visitor that throws fails alone', async () => {
  const version = versionOf({ 'a.txt': '', 'b.txt': '' });
  const [broken, whole] = await Promise.allSettled([
    eachFile(version, { visit: () => Promise.reject(new Error('broken')) }),
    eachFile(version, { visit: ({ path }) => [finding(path)] }),
  ]);
  assert.equal(broken.status, 'rejected');
  assert.equal(whole.status === 'fulfilled' && whole.value.length, 2);
});

test('a file that cannot be opened ends the reading of the others', async () => {
  const version = versionOf(
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${index}.txt`, 'x'])),
  );
  let opened = 0;
  const files = version.files.map((file, index) => ({
    ...file,
    open: () => {
      opened++;
      return index === 3 ? Promise.reject(new Error('store down')) : file.open();
    },
  }));
  await assert.rejects(eachFile({ ...version, files }, { visit: () => [] }), /store down/u);
  const openedThen = opened;
  await new Promise(setImmediate);
  assert.ok(opened < 20 && opened - openedThen <= 4, `${opened} files were opened`);
});

test('a stream that no visitor reads to its end is closed', async () => {
  const version = versionOf({ 'a.txt': 'x' });
  const stop = new AbortController();
  let closed = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (let turn = 0; ; turn++) {
        if (turn === 10) stop.abort(new Error('time is up'));
        yield new Uint8Array(1_000);
      }
    } finally {
      closed++;
    }
  }
  const files = version.files.map((file) => ({ ...file, open: async () => endless() }));
  await assert.rejects(
    eachFile({ ...version, files, signal: stop.signal }, { visit: () => [] }),
    /time is up/u,
  );
  assert.equal(closed, 1);
});
