import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { moduleSource, startContentHost, togetherSource } from '../testing/content-host.ts';

const page = `<!doctype html><html><head><title>Moon</title></head><body>${'<p>moon</p>'.repeat(200)}</body></html>`;
const document = { 'sec-fetch-dest': 'iframe' };
const tagPattern = /<script src="(\/service\/sdk\.js\?[\w-]{12})"><\/script>/u;

/** Returns what was put into a page, and the page without it. */
function taken(text: string): { address: string; rest: string } {
  const match = tagPattern.exec(text);
  assert.ok(match?.[1], text.slice(0, 200));
  return { address: match[1], rest: text.replace(match[0], '') };
}

describe('the entry page', () => {
  test('loads the module before anything else, and is otherwise unchanged', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true });
    for (const path of ['/', '/index.html']) {
      const answer = await host.ask(path);
      assert.equal(taken(answer.text).rest, page);
      assert.match(answer.text, /<head><script/u);
      assert.equal(answer.headers['content-length'], String(answer.body.length));
      assert.equal(answer.headers['cache-control'], 'no-cache');
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.match(String(answer.headers['content-security-policy']), /frame-ancestors/u);
    }
  });

  test('has the module in every coding, each with its own ETag, which differs from the stored page’s', async () => {
    await using host = await startContentHost();
    const forms = { br: brotliCompressSync(page) };
    const site = host.addSite('game', { 'index.html': { bytes: page, forms } }, { sdk: true });
    const ask = (coding: string, more = {}) =>
      host.ask('/', { headers: { 'accept-encoding': coding, ...more } });
    const plain = await ask('identity');
    const br = await ask('br, gzip');
    const gzip = await ask('gzip');
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(br.body).toString(), plain.text);
    assert.equal(gunzipSync(gzip.body).toString(), plain.text);
    const tags = [plain, br, gzip].map(({ headers }) => String(headers.etag));
    assert.equal(new Set(tags).size, 3);
    for (const tag of tags) assert.ok(!tag.startsWith(`"${site.files.get('index.html')?.hash}"`));
    for (const [answer, coding] of [
      [plain, 'identity'],
      [br, 'br'],
      [gzip, 'gzip'],
    ] as const) {
      const again = await ask(coding, { 'if-none-match': answer.headers.etag });
      assert.equal(again.status, 304);
      assert.equal(again.headers.etag, answer.headers.etag);
    }
    const stored = await ask('br', { 'if-none-match': `"${site.files.get('index.html')?.hash}-br"` });
    assert.equal(stored.status, 200);
  });

  test('answers HEAD and range requests with the changed page', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true });
    const whole = await host.ask('/');
    const head = await host.ask('/', { method: 'HEAD' });
    assert.equal(head.headers['content-length'], whole.headers['content-length']);
    assert.equal(head.body.length, 0);
    const part = await host.ask('/', { headers: { range: 'bytes=20-80' } });
    assert.equal(part.status, 206);
    assert.equal(part.text, whole.text.slice(20, 81));
    assert.equal(part.headers['content-range'], `bytes 20-80/${whole.body.length}`);
  });

  test('is built once for all waiting requests, and read once', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true });
    await Promise.all(Array.from({ length: 20 }, () => host.ask('/')));
    await host.ask('/');
    assert.equal(host.store.reads, 1);
  });

  test('is unchanged when the space does without the module or the page has no place for it', async () => {
    await using host = await startContentHost();
    const wide = Buffer.from('\ufeff<!-- ', 'utf16le');
    host.addSite('without', { 'index.html': page });
    host.addSite('wide', { 'index.html': { bytes: wide } }, { sdk: true });
    const without = await host.ask('/', { host: 'without.play.localhost:3000' });
    assert.equal(without.text, page);
    const answer = await host.ask('/', { host: 'wide.play.localhost:3000', headers: document });
    assert.deepEqual(answer.body, wide);
  });

  test('is sent in UTF-8 when it is in UTF-16, and in its own older encoding, which is named', async () => {
    await using host = await startContentHost();
    const at = (label: string) => ({ host: `${label}.play.localhost:3000` });
    const wide = Buffer.from(`\ufeff${page}テ`, 'utf16le');
    const old = Buffer.from('<meta charset="shift_jis"><p>\x83\x65\x83\x58\x83\x67', 'latin1');
    const large = Buffer.concat([old, Buffer.alloc(9 * 1024 * 1024, ' ')]);
    host.addSite('wide', { 'index.html': { bytes: wide } }, { sdk: true });
    host.addSite('old', { 'index.html': { bytes: old } }, { sdk: true });
    host.addSite('large', { 'index.html': { bytes: large } }, { sdk: true });
    const wideAnswer = await host.ask('/', at('wide'));
    assert.equal(taken(wideAnswer.text).rest, `${page}テ`);
    assert.equal(wideAnswer.headers['content-type'], 'text/html; charset=utf-8');
    for (const label of ['old', 'large']) {
      const answer = await host.ask('/', at(label));
      assert.equal(answer.headers['content-type'], 'text/html; charset=shift_jis');
      assert.match(String(answer.headers.etag), /-shift_jis/u);
      const { rest } = taken(answer.body.toString('latin1'));
      assert.equal(rest, (label === 'old' ? old : large).toString('latin1'));
    }
  });

  test('of a single-page app has the module at every path', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true, spa: true });
    assert.equal(taken((await host.ask('/levels/3')).text).rest, page);
  });

  test('that is too large for memory has the module too, and is streamed', async () => {
    await using host = await startContentHost();
    const large = `<!doctype html><head>${`<!-- ${'x'.repeat(1_000)} -->`.repeat(9_000)}`;
    host.addSite('game', { 'index.html': large }, { sdk: true });
    const answer = await host.ask('/', { headers: { 'accept-encoding': 'br', range: 'bytes=0-5' } });
    assert.equal(answer.status, 200);
    assert.equal(taken(answer.text).rest, large);
    assert.equal(answer.headers['content-length'], String(answer.body.length));
    assert.equal(host.store.reads, 0);
    const again = await host.ask('/', { headers: { 'if-none-match': String(answer.headers.etag) } });
    assert.equal(again.status, 304);
    assert.equal(host.store.opened, host.store.closed);
  });

  test('that is lost or cut is a 503, and the next request tries again', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true });
    host.store.fault = new Error('the disk is gone');
    assert.equal((await host.ask('/')).status, 503);
    host.store.fault = undefined;
    assert.equal((await host.ask('/')).status, 200);
  });
});

describe('other pages', () => {
  const files = {
    'index.html': page,
    'menu.html': page,
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '404.html': page,
  };

  test('load the module when they are requested as documents', async () => {
    await using host = await startContentHost();
    host.addSite('game', files, { sdk: true });
    for (const destination of ['document', 'iframe', 'frame']) {
      const answer = await host.ask('/menu.html', { headers: { 'sec-fetch-dest': destination } });
      assert.equal(taken(answer.text).rest, page, destination);
      assert.equal(answer.headers.vary, 'Accept-Encoding, Sec-Fetch-Dest');
    }
    const missing = await host.ask('/nothing.html', { headers: document });
    assert.equal(missing.status, 404);
    assert.equal(taken(missing.text).rest, page);
  });

  test('are unchanged for a script that fetches them', async () => {
    await using host = await startContentHost();
    host.addSite('game', files, { sdk: true });
    const readers: Record<string, string>[] = [{ 'sec-fetch-dest': 'empty' }, {}];
    for (const headers of readers) {
      const answer = await host.ask('/menu.html', { headers });
      assert.equal(answer.text, page);
      assert.equal(answer.headers.vary, 'Accept-Encoding, Sec-Fetch-Dest');
    }
    assert.equal((await host.ask('/a.svg', { headers: document })).text, files['a.svg']);
  });
});

describe('the module', () => {
  const origin = 'http://localhost:3000';

  test('contains its source address, and is cached for good at the address that pages load', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true, ascendingBoards: ['laps'] });
    const { address } = taken((await host.ask('/')).text);
    const answer = await host.ask(address, { headers: { 'accept-encoding': 'br' } });
    const text = brotliDecompressSync(answer.body).toString();
    const [, together = ''] = /"together":"(\/service\/sdk-together-1\.js\?[\w-]{12})"/u.exec(text) ?? [];
    const served = {
      app: origin,
      hosted: true,
      env: 'live',
      version: 7,
      ascending: ['laps'],
      storage: true,
      together,
    };
    assert.equal(text, moduleSource.replace('SPACEPORT_SERVED', JSON.stringify(served)));
    const second = await host.ask(together);
    assert.equal(second.text, togetherSource);
    assert.equal(second.headers['cache-control'], answer.headers['cache-control']);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('is revalidated at its other addresses, and when another version is live', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true });
    for (const path of [
      '/service/sdk.js',
      '/%73ervice/sdk.js',
      '/service/sdk-1.js',
      '/service/sdk-together-1.js',
      '/service/sdk-together-1.js?AAAAAAAAAAAA',
      '/service/sdk.js?AAAAAAAAAAAA',
    ]) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate');
      const again = await host.ask(path, { headers: { 'if-none-match': String(answer.headers.etag) } });
      assert.equal(again.status, 304);
    }
  });

  test('of a temporary site uses the sandbox, and is not cached', async () => {
    await using host = await startContentHost();
    host.addSite('p--x', { 'index.html': page }, { sdk: true, temporary: true });
    const at = { host: 'p--x.temp.localhost:3000' };
    const { address } = taken((await host.ask('/', at)).text);
    const answer = await host.ask(address, at);
    assert.match(answer.text, /"env":"sandbox"/u);
    assert.equal(answer.headers['cache-control'], 'private, no-store');
  });

  test('runs in isolated pages', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { sdk: true, isolated: true });
    for (const path of ['/', '/service/sdk.js'])
      assert.equal((await host.ask(path)).headers['cross-origin-embedder-policy'], 'credentialless', path);
  });

  test('is replaced by an uploaded file only in a version that does without the module', async () => {
    await using host = await startContentHost();
    const own = { 'index.html': page, 'service/sdk.js': 'mine', 'service/x.js': 'its own' };
    host.addSite('game', own, { sdk: true });
    host.addSite('other', own);
    assert.notEqual((await host.ask('/service/sdk.js')).text, 'mine');
    assert.equal((await host.ask('/service/x.js')).text, 'its own');
    const other = { host: 'other.play.localhost:3000' };
    assert.equal((await host.ask('/service/sdk.js', other)).text, 'mine');
    assert.match((await host.ask('/service/sdk-1.js', other)).text, /start\(/u);
  });
});
