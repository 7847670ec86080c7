import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import type { SiteFile } from './site.ts';
import { assertUnavailable } from './testing/assert-unavailable.ts';
import { startContentHost } from './testing/content-host.ts';

const big = randomBytes(5_000_000);

describe('the store', () => {
  test('is read once for a small file, however many requests ask at once', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': 'home' });
    await Promise.all(Array.from({ length: 20 }, () => host.ask('/')));
    await host.ask('/');
    assert.equal(host.store.reads, 1);
    assert.equal(host.store.opened, 0);
  });

  test('returns every byte unchanged, from the store and from memory', async () => {
    await using host = await startContentHost();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    host.addSite('game', { 'a.bin': { bytes } });
    for (let round = 0; round < 2; round++) {
      const { headers, body } = await host.ask('/a.bin');
      assert.equal(headers['content-length'], '256');
      assert.deepEqual(body, bytes);
    }
    assert.equal(host.store.reads, 1);
  });

  test('streams large files, and the memory for small files is limited', async () => {
    await using host = await startContentHost({ cacheBytes: 100_000 });
    host.addSite('game', {
      'big.bin': { bytes: big },
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, index) => [`${index}.bin`, { bytes: randomBytes(20_000) }]),
      ),
    });
    const answer = await host.ask('/big.bin');
    assert.ok(answer.body.equals(big));
    assert.equal(host.store.opened, 1);
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 10; index++) await host.ask(`/${index}.bin`);
    }
    assert.equal(host.store.reads, 20);
    await host.ask('/9.bin');
    assert.equal(host.store.reads, 20);
  });

  test('leads to a 503 when it is down or has lost the bytes, and works again later', async () => {
    for (const cacheBytes of [0, 10_000_000]) {
      await using host = await startContentHost({ cacheBytes });
      const site = host.addSite('game', { 'index.html': 'home', 'big.bin': { bytes: big } });
      for (const fault of [new StoreUnavailable('secret'), new Error('secret')]) {
        host.store.fault = fault;
        for (const path of ['/', '/big.bin']) assertUnavailable(await host.ask(path));
      }
      host.store.fault = undefined;
      assert.equal((await host.ask('/')).status, 200);
      host.store.blobs.delete(site.files.get('big.bin')?.key ?? '');
      assertUnavailable(await host.ask('/big.bin'));
      assertUnavailable(await host.ask('/big.bin', { headers: { range: 'bytes=0-1' } }));
    }
  });

  test('leads to a 503 when it breaks before the first byte, later to a cut connection', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'big.bin': { bytes: big } });
    host.store.breakAfter = 0;
    assertUnavailable(await host.ask('/big.bin'));
    host.store.breakAfter = 200_000;
    await assert.rejects(host.ask('/big.bin'), { code: 'ECONNRESET' });
    assert.equal(host.store.closed, host.store.opened);
    host.store.breakAfter = undefined;
    assert.ok((await host.ask('/big.bin')).body.equals(big));
  });

  test('leads to a 503 when a file has another size than the manifest says', async () => {
    await using host = await startContentHost();
    const site = host.addSite('game', { 'index.html': 'home', 'big.bin': { bytes: big } });
    for (const [path, { key }] of site.files) {
      host.store.blobs.set(key, path === 'index.html' ? Buffer.from('hom') : big.subarray(1));
    }
    assertUnavailable(await host.ask('/'));
    await assert.rejects(host.ask('/big.bin'), { code: 'ECONNRESET' });
    for (const { key } of site.files.values()) {
      host.store.blobs.set(key, Buffer.concat([big, Buffer.from('x')]));
    }
    await assert.rejects(host.ask('/big.bin'));
  });

  test('decides about sizes, so that a wrong manifest of one site does not break another site', async () => {
    await using host = await startContentHost();
    const site = host.addSite('game', { 'a.js': 'let score;' });
    const lying = host.addSite('liar', { 'index.html': 'x' });
    const file = site.files.get('a.js');
    assert.ok(file);
    for (const size of [file.size - 1, file.size + 1]) {
      (lying.files as Map<string, SiteFile>).set('a.js', { ...file, size });
      host.handler.doubtAll();
      const [wrong, right] = await Promise.all([
        host.ask('/a.js', { host: 'liar.play.localhost:3000' }),
        host.ask('/a.js'),
      ]);
      assertUnavailable(wrong);
      assert.deepEqual([right.status, right.text], [200, 'let score;']);
      // And from memory, where the file is by now.
      assertUnavailable(await host.ask('/a.js', { host: 'liar.play.localhost:3000' }));
    }
  });

  test('has its stream closed when the client disconnects, and is read at the client’s speed', async () => {
    await using host = await startContentHost();
    const huge = Buffer.alloc(60_000_000, 1);
    host.addSite('game', { 'huge.bin': { bytes: huge } });
    const socket = connect(host.port, '127.0.0.1');
    socket.write('GET /huge.bin HTTP/1.1\r\nHost: game.play.localhost:3000\r\n\r\n');
    await once(socket, 'readable');
    const isOpen = host.store.opened === 1 && host.store.closed === 0;
    assert.ok(isOpen, 'a client that does not read keeps the file open');
    socket.destroy();
    while (host.store.closed === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await host.ask('/huge.bin', { method: 'HEAD' })).headers['content-length'], '60000000');
  });
});

test('a client that disconnects with queued requests leaves no stream open', async () => {
  await using host = await startContentHost();
  host.addSite('game', { 'huge.bin': { bytes: Buffer.alloc(60_000_000, 1) } });
  const socket = connect(host.port, '127.0.0.1');
  socket.write('GET /huge.bin HTTP/1.1\r\nHost: game.play.localhost:3000\r\n\r\n'.repeat(3));
  await once(socket, 'readable');
  while (host.store.opened < 3) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  while (host.store.closed < 3) await new Promise((resolve) => setImmediate(resolve));
});

test('a request with a body is answered, and its connection ends with the response', async () => {
  await using host = await startContentHost();
  host.addSite('game', { 'index.html': 'home', 'big.bin': { bytes: big } });
  for (const body of [
    'Content-Length: 1000000\r\n\r\nabc',
    'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
  ]) {
    for (const [line, end] of [
      ['GET /', 'home'],
      ['HEAD /', '\r\n\r\n'],
      ['GET /nothing', '</html>\n'],
      ['GET /big.bin', big.subarray(-20).toString('latin1')],
      ['POST /', '</html>\n'],
    ] as const) {
      const answer = await host.raw(`${line} HTTP/1.1\r\nHost: game.play.localhost:3000\r\n${body}`);
      assert.match(answer, /\r\nConnection: close\r\n/iu, line);
      assert.ok(answer.endsWith(end), line);
    }
  }
});

describe('large files that nginx sends', () => {
  test('are named without a length; small files and ranges are sent by the service', async () => {
    await using host = await startContentHost({ useAccelRedirect: '/_blobs/' });
    const site = host.addSite('game', { 'index.html': 'home', 'big.bin': { bytes: big } });
    const answer = await host.ask('/big.bin');
    assert.equal(answer.headers['x-accel-redirect'], `/_blobs/${site.files.get('big.bin')?.key}`);
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    assert.ok(answer.headers.etag);
    // nginx adds this header itself.
    assert.equal(answer.headers['accept-ranges'], undefined);
    assert.equal(answer.body.length, 0);
    assert.equal((await host.ask('/')).headers['x-accel-redirect'], undefined);
    const part = await host.ask('/big.bin', { headers: { range: 'bytes=0-9' } });
    assert.equal(part.status, 206);
    assert.equal(part.body.length, 10);
  });
});

test('requests on one connection are answered in order', async () => {
  await using host = await startContentHost();
  host.addSite('game', { 'index.html': 'home', 'a.txt': 'a', 'big.txt': { bytes: 'b'.repeat(2_000_000) } });
  const line = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: game.play.localhost:3000\r\n${more}\r\n`;
  const all = await host.raw(
    line('/') + line('/big.txt') + line('/a.txt') + line('/', 'Connection: close\r\n'),
  );
  assert.deepEqual(
    all.match(/\r\n\r\n(home|a|b+)/gu)?.map((body) => body.slice(4, 8)),
    ['home', 'bbbb', 'aHTT'.slice(0, 1), 'home'],
  );
});
