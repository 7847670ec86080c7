import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { startS3 } from '../../../test/s3-server.ts';
import { describeBlobStore } from './blob-store.conformance.ts';
import { type BlobStore, StoreUnavailable } from './blob-store.ts';
import { openS3Store } from './s3-store.ts';
import { parseS3Url } from './s3-url.ts';

describeBlobStore('S3', async () => {
  const server = await startS3();
  return { store: await openS3Store(server.url), cleanup: server.stop };
});

const credentials = 's3://id:secret@bucket';

describe('an S3 store that is not there', () => {
  test('is noticed in under two seconds: nobody listens', async () => {
    const server = await startS3();
    await server.stop();
    const store = await openS3Store(server.url);
    await assertUnavailable(store);
    await store.close();
  });

  test('is noticed in under two seconds: somebody listens and never answers', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    const { port } = await new Promise<{ port: number }>((listening) => {
      silent.listen(0, '127.0.0.1', () => listening(silent.address() as { port: number }));
    });
    const store = await openS3Store(`${credentials}?endpoint=http://127.0.0.1:${port}&pathStyle=1`);
    await assertUnavailable(store);
    await store.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('is not mistaken for a store that lacks a blob: the bucket is missing', async () => {
    const server = await startS3();
    const store = await openS3Store(server.url.replace('@spaceport/', '@elsewhere/'));
    await assertUnavailable(store);
    await store.close();
    await server.stop();
  });
});

test('blobs beside others, and under another prefix, are not listed', async () => {
  const server = await startS3();
  const one = await openS3Store(server.url);
  const other = await openS3Store(server.url.replace('/blobs?', '/more/of/them?'));
  const key = await writeText(one, 'mine');
  assert.deepEqual(await Array.fromAsync(other.list()), []);
  assert.deepEqual(
    (await Array.fromAsync(one.list())).map((entry) => entry.key),
    [key],
  );
  await one.close();
  await other.close();
  await server.stop();
});

test('lists past the first page', async () => {
  const server = await startS3();
  const store = await openS3Store(server.url);
  const written = new Set(await Promise.all(Array.from({ length: 1_010 }, () => writeText(store, 'again'))));
  const listed = (await Array.fromAsync(store.list())).map((entry) => entry.key);
  assert.equal(listed.length, 1_010);
  assert.deepEqual(new Set(listed), written);
  await store.close();
  await server.stop();
});

describe('the address of an S3 store', () => {
  test('says where it is and how it is spoken to', () => {
    assert.deepEqual(
      parseS3Url('s3://id:a%2Fb@games/live/blobs/?endpoint=http://10.0.0.1:9000&region=eu&pathStyle=1'),
      {
        bucket: 'games',
        prefix: 'live/blobs/',
        endpoint: 'http://10.0.0.1:9000',
        region: 'eu',
        pathStyle: true,
        credentials: { accessKeyId: 'id', secretAccessKey: 'a/b' },
      },
    );
    const plain = parseS3Url('s3://games');
    assert.deepEqual([plain.prefix, plain.endpoint, plain.credentials], ['', null, null]);
  });

  test('is refused when malformed, without naming the secret', () => {
    for (const url of [
      'https://bucket',
      's3://',
      `${credentials}?unknown=1`,
      `${credentials}?endpoint=ftp://x`,
      's3://id@bucket',
    ]) {
      assert.throws(
        () => parseS3Url(url),
        (error: Error) => !error.message.includes('secret@'),
      );
    }
  });
});

/** Every operation says so, soon. */
async function assertUnavailable(store: BlobStore): Promise<void> {
  const key = `${createHash('sha256').digest('hex')}-00000000`;
  for (const operation of [
    () => store.ping(),
    () => store.open(key),
    () => store.read(key),
    () => store.delete(key),
    () => writeText(store, 'hello'),
  ]) {
    const began = performance.now();
    await assert.rejects(operation, StoreUnavailable);
    assert.ok(performance.now() - began < 2_000);
  }
}

function writeText(store: BlobStore, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return store.write(Readable.from([bytes]), { hash, size: bytes.byteLength });
}
