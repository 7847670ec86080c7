import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { startContentHost } from './testing/content-host.ts';

const code = 'let score = 0;\n'.repeat(100);
const forms = { br: brotliCompressSync(code), zstd: zstdCompressSync(code), gzip: gzipSync(code) };

describe('compressed forms of a file', () => {
  test('are sent to clients that accept them', async () => {
    await using host = await startContentHost();
    const site = host.addSite('game', { 'a.js': { bytes: code, forms } });
    const hash = site.files.get('a.js')?.hash;
    const sizes = { br: forms.br.length, zstd: forms.zstd.length, gzip: forms.gzip.length };
    for (const coding of ['br', 'zstd', 'gzip'] as const) {
      const answer = await host.ask('/a.js', { headers: { 'accept-encoding': coding } });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(answer.headers['content-length'], String(sizes[coding]));
      assert.equal(answer.headers['content-type'], 'text/javascript');
      assert.equal(answer.headers.etag, `"${hash}-${coding}"`);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.deepEqual(answer.body, forms[coding]);
    }
    const unable: Record<string, string>[] = [
      {},
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'br;q=0' },
    ];
    for (const headers of unable) {
      const answer = await host.ask('/a.js', { headers });
      assert.equal(answer.headers['content-encoding'], undefined);
      assert.equal(answer.headers.etag, `"${hash}"`);
      assert.equal(answer.text, code);
    }
  });

  test('are revalidated, each by its own ETag', async () => {
    await using host = await startContentHost();
    const site = host.addSite('game', { 'a.js': { bytes: code, forms } });
    const hash = site.files.get('a.js')?.hash;
    const ask = (condition: string, accept = 'br') =>
      host.ask('/a.js', { headers: { 'if-none-match': condition, 'accept-encoding': accept } });
    for (const condition of [`"${hash}-br"`, `W/"${hash}-br"`, `"x", "${hash}-br"`, '*']) {
      const answer = await ask(condition);
      assert.equal(answer.status, 304, condition);
      assert.equal(answer.body.length, 0);
      assert.equal(answer.headers.etag, `"${hash}-br"`);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate');
      assert.equal(answer.headers['content-length'], undefined);
      assert.equal(answer.headers['content-encoding'], undefined);
    }
    // A copy that the client stored before the form was made is still valid.
    const older = await ask(`"${hash}"`);
    assert.equal(older.status, 304);
    assert.equal(older.headers.etag, `"${hash}"`);
    // A shared cache asks for a client that cannot decode the cached form.
    assert.equal((await ask(`"${hash}-br"`, 'gzip')).status, 200);
    assert.equal((await ask('"other"')).status, 200);
    assert.equal(host.store.opened, 0);
  });
});

describe('engine builds that are uploaded compressed', () => {
  const wasm = randomBytes(50_000);
  const builds = {
    'Build/x.wasm.br': { bytes: brotliCompressSync(wasm) },
    'Build/x.data.gz': { bytes: gzipSync(wasm) },
    'levels.json.gz': { bytes: gzipSync('{}') },
  };

  test('are sent as they are, with the media type of their content', async () => {
    await using host = await startContentHost();
    host.addSite('game', builds);
    for (const [path, type, coding] of [
      ['Build/x.wasm.br', 'application/wasm', 'br'],
      ['Build/x.data.gz', 'application/octet-stream', 'gzip'],
    ] as const) {
      const able: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip, deflate, br' }];
      for (const headers of able) {
        const answer = await host.ask(`/${path}`, { headers: { ...headers, range: 'bytes=0-9' } });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['content-type'], type);
        assert.equal(answer.headers['content-encoding'], coding);
        assert.equal(answer.headers['accept-ranges'], undefined);
        assert.equal(answer.headers.vary, 'Accept-Encoding');
        assert.deepEqual(answer.body, builds[path].bytes);
        const held = await host.ask(`/${path}`, {
          headers: { ...headers, 'if-none-match': String(answer.headers.etag) },
        });
        assert.equal(held.status, 304);
      }
    }
    const archive = await host.ask('/levels.json.gz', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(archive.headers['content-encoding'], undefined);
    assert.equal(archive.headers['content-type'], 'application/gzip');
  });

  test('are decompressed for clients that do not accept the coding', async () => {
    await using host = await startContentHost({ cacheBytes: 0 });
    host.addSite('game', builds);
    for (const [path, accept] of [
      ['/Build/x.wasm.br', 'gzip, deflate'],
      ['/Build/x.data.gz', 'identity'],
    ] as const) {
      const headers = { 'accept-encoding': accept };
      const answer = await host.ask(path, { headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-encoding'], undefined);
      assert.equal(answer.headers['content-length'], undefined);
      assert.match(String(answer.headers.etag), /-unpacked"$/u);
      assert.deepEqual(answer.body, wasm);
      const head = await host.ask(path, { method: 'HEAD', headers });
      assert.equal(head.status, 200);
      assert.equal(head.headers.etag, answer.headers.etag);
    }
    assert.equal(host.store.opened, 2);
    assert.equal(host.store.closed, 2);
  });

  test('are answered with 503 when they cannot be decompressed', async () => {
    await using host = await startContentHost();
    const packed = { br: brotliCompressSync(wasm), gz: gzipSync(wasm) };
    const broken: Record<string, Buffer> = {
      // The first bits end the stream at once, which one of 25 random files does too.
      'ends-at-once.wasm.br': Buffer.concat([Buffer.from([6]), randomBytes(2_000)]),
      'more-behind.wasm.br': Buffer.concat([packed.br, randomBytes(2_000)]),
      'cut.wasm.br': packed.br.subarray(0, -100),
      'cut.data.gz': packed.gz.subarray(0, -100),
      'flipped.data.gz': packed.gz.with(
        packed.gz.length - 6,
        packed.gz[packed.gz.length - 6] === 0 ? 1 : 0,
      ) as Buffer,
      'zeros.wasm.br': brotliCompressSync(Buffer.alloc(8_000_000)),
      'zeros.data.gz': gzipSync(Buffer.alloc(2_000_000)),
    };
    for (let count = 0; count < 40; count++) broken[`random-${count}.wasm.br`] = randomBytes(2_000);
    host.addSite('game', {
      ...Object.fromEntries(Object.entries(broken).map(([path, bytes]) => [path, { bytes }])),
    });
    for (const path of Object.keys(broken)) {
      const answer = await host.ask(`/${path}`, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(answer.status, 503, path);
    }
    // The result never changes, so the file is not read again.
    const { opened } = host.store;
    for (const path of Object.keys(broken)) {
      const answer = await host.ask(`/${path}`, { headers: { 'accept-encoding': 'identity' } });
      assert.equal(answer.status, 503, path);
    }
    assert.equal(host.store.opened, opened);
  });

  test('are cut when they decompress to an excessive size, and never look complete', async () => {
    await using host = await startContentHost();
    const bomb = (honest: number) =>
      brotliCompressSync(Buffer.concat([randomBytes(honest), Buffer.alloc(130 * honest)]), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
      });
    host.addSite('game', {
      'small.wasm.br': { bytes: bomb(30_000) },
      'large.wasm.br': { bytes: bomb(300_000) },
    });
    const headers = { 'accept-encoding': 'gzip' };
    // A small file is unpacked whole before the response begins.
    assert.equal((await host.ask('/small.wasm.br', { headers })).status, 503);
    await assert.rejects(host.ask('/large.wasm.br', { headers }));
  });

  test('are decompressed once for all clients, and a slow client delays no other', async () => {
    await using host = await startContentHost();
    const large = Buffer.concat(Array<Buffer>(25).fill(randomBytes(1_000_000)));
    const bytes = brotliCompressSync(large, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
    });
    assert.ok(bytes.length < 2_000_000);
    host.addSite('sipped', { 'large.wasm.br': { bytes } });
    host.addSite('game', builds);
    const sippers = Array.from({ length: 20 }, () => connect(host.port, '127.0.0.1'));
    for (const socket of sippers) {
      socket.write(
        'GET /large.wasm.br HTTP/1.1\r\nHost: sipped.play.localhost:3000\r\nAccept-Encoding: gzip\r\n\r\n',
      );
    }
    await Promise.all(sippers.map((socket) => once(socket, 'readable')));
    const headers = { 'accept-encoding': 'identity' };
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => host.ask('/Build/x.wasm.br', { headers })),
      host.ask('/large.wasm.br', { headers, host: 'sipped.play.localhost:3000' }),
    ]);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.ok(answers.at(-1)?.body.equals(large));
    assert.ok(answers.slice(0, -1).every(({ body }) => body.equals(wasm)));
    assert.equal(host.store.opened, 2);
    for (const socket of sippers) socket.destroy();
  });
});

describe('byte ranges', () => {
  const bytes = randomBytes(300_000);

  test('are parts of the published file, from memory and from the store', async () => {
    for (const cacheBytes of [0, 10_000_000]) {
      await using host = await startContentHost({ cacheBytes });
      const site = host.addSite('game', {
        'v.mp4': { bytes },
        'a.js': { bytes: code, forms },
        'empty.txt': '',
      });
      const etag = `"${site.files.get('v.mp4')?.hash}"`;
      const part = await host.ask('/v.mp4', { headers: { range: 'bytes=100-199' } });
      assert.equal(part.status, 206);
      assert.equal(part.headers['content-range'], 'bytes 100-199/300000');
      assert.equal(part.headers['content-length'], '100');
      assert.equal(part.headers['content-type'], 'video/mp4');
      assert.equal(part.headers.etag, etag);
      assert.deepEqual(part.body, bytes.subarray(100, 200));

      const packed = await host.ask('/a.js', { headers: { range: 'bytes=-15', 'accept-encoding': 'br' } });
      assert.equal(packed.status, 206);
      assert.equal(packed.headers['content-encoding'], undefined);
      assert.equal(packed.text, 'let score = 0;\n');

      const beyond = await host.ask('/v.mp4', { headers: { range: 'bytes=300000-' } });
      assert.equal(beyond.status, 416);
      assert.equal(beyond.headers['content-range'], 'bytes */300000');
      assert.equal((await host.ask('/empty.txt', { headers: { range: 'bytes=0-' } })).status, 416);

      const ignored: Record<string, string>[] = [
        { range: 'bytes=0-1,5-6' },
        { range: 'nonsense' },
        { range: 'bytes=0-9', 'if-range': '"other"' },
        { range: 'bytes=0-9', 'if-range': `W/${etag}` },
        { range: 'bytes=0-9', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' },
      ];
      for (const headers of ignored) {
        const whole = await host.ask('/v.mp4', { headers });
        assert.equal(whole.status, 200, JSON.stringify(headers));
        assert.deepEqual(whole.body, bytes);
      }
      const same = await host.ask('/v.mp4', { headers: { range: 'bytes=0-9', 'if-range': etag } });
      assert.equal(same.status, 206);
      const held = await host.ask('/v.mp4', { headers: { range: 'bytes=0-9', 'if-none-match': etag } });
      assert.equal(held.status, 304);
      const head = await host.ask('/v.mp4', { method: 'HEAD', headers: { range: 'bytes=0-9' } });
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-length'], '300000');
    }
  });

  test('equal the same slices of the file', async () => {
    await using host = await startContentHost({ cacheBytes: 0 });
    host.addSite('game', { 'v.mp4': { bytes } });
    const offset = fc.nat(bytes.length + 1_000);
    await fc.assert(
      fc.asyncProperty(offset, fc.option(offset), async (first, last) => {
        const answer = await host.ask('/v.mp4', { headers: { range: `bytes=${first}-${last ?? ''}` } });
        if (last !== null && last < first) assert.equal(answer.status, 200);
        else if (first >= bytes.length) assert.equal(answer.status, 416);
        else {
          assert.equal(answer.status, 206);
          assert.ok(answer.body.equals(bytes.subarray(first, (last ?? bytes.length) + 1)));
        }
      }),
      { numRuns: 60 },
    );
    assert.equal(host.store.opened, host.store.closed);
  });
});
