import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { openRelay } from '../../../test/relay.ts';
import { startS3, withoutS3 } from '../../../test/s3-server.ts';
import { describeBlobStore } from './blob-store.conformance.ts';
import { type BlobStore, StoreUnavailable } from './blob-store.ts';
import { type S3Timing, usualTiming } from './s3-connection.ts';
import { openS3Store } from './s3-store.ts';
import { parseS3Url } from './s3-url.ts';

/**
 * The server runs in this process, on a disk that may be busy: tests that are not about silence have long
 * limits.
 */
const patient: S3Timing = {
  ...usualTiming,
  connectMs: 30_000,
  answerMs: 60_000,
  listMs: 60_000,
  sendMs: 120_000,
  pulseMs: 60_000,
};

const skip = await withoutS3();
describeBlobStore(
  'S3',
  async () => {
    const server = await startS3();
    return { store: await openS3Store(server.url, patient), cleanup: server.stop };
  },
  { skip },
);

/**
 * Two seconds, and some time for a busy machine. With a store that answers other requests it would be 30
 * seconds.
 */
const noticedWithinMs = 6_000;

const credentials = 's3://id:secret@bucket';

describe('an unreachable S3 store', { skip }, () => {
  test('is noticed in under two seconds when nothing listens', async (context) => {
    const server = await startS3();
    await server.stop();
    await assertUnavailable(await storeFor(context, server.url));
  });

  test('is noticed in under two seconds when it accepts connections and never answers', async (context) => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    const { port } = await new Promise<{ port: number }>((listening) => {
      silent.listen(0, '127.0.0.1', () => listening(silent.address() as { port: number }));
    });
    context.after(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const url = `${credentials}?endpoint=http://127.0.0.1:${port}&pathStyle=1`;
    await assertUnavailable(await storeFor(context, url));
  });

  for (const [what, bytes] of Object.entries({ 'one piece': 1_000, parts: 6 * 1024 * 1024 })) {
    test(`is noticed by a body sent in ${what} when the store suddenly hangs`, async (context) => {
      const server = await serverFor(context);
      const endpoint = new URL(server).searchParams.get('endpoint') ?? '';
      const relay = await openRelay(endpoint);
      context.after(() => relay.close());
      const store = await storeFor(context, server.replace(endpoint, relay.url));
      // The store has just answered, so it is not asked again before the next body.
      await writeText(store, 'hello');
      relay.freeze();
      const began = performance.now();
      await assert.rejects(writeText(store, 'x'.repeat(bytes)), StoreUnavailable);
      assert.ok(performance.now() - began < noticedWithinMs);
    });
  }

  test('is noticed by an upload when the store hangs between its parts', async (context) => {
    const server = await serverFor(context);
    const endpoint = new URL(server).searchParams.get('endpoint') ?? '';
    const relay = await openRelay(endpoint);
    context.after(() => relay.close());
    const store = await storeFor(context, server.replace(endpoint, relay.url));
    const bytes = Buffer.alloc(12 * 1024 * 1024);
    let frozenAt = 0;
    async function* body() {
      const frozen = relay.freezeAfter(bytes.length / 3);
      yield bytes.subarray(0, bytes.length / 2);
      await frozen;
      frozenAt = performance.now();
      yield bytes.subarray(bytes.length / 2);
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    await assert.rejects(store.write(body(), { hash, size: bytes.length }), StoreUnavailable);
    assert.ok(performance.now() - frozenAt < noticedWithinMs);
  });

  test('is not mistaken for a store that lacks a blob when the bucket is missing', async (context) => {
    const url = await serverFor(context);
    await assertUnavailable(await storeFor(context, url.replace('@spaceport/', '@elsewhere/')));
  });
});

test('objects outside the prefix of a store are not listed', { skip }, async (context) => {
  const url = await serverFor(context);
  const one = await storeFor(context, url, patient);
  const other = await storeFor(context, url.replace('/blobs?', '/more/of/them?'), patient);
  const key = await writeText(one, 'mine');
  assert.deepEqual(await Array.fromAsync(other.list()), []);
  assert.deepEqual(
    (await Array.fromAsync(one.list())).map((entry) => entry.key),
    [key],
  );
});

test('a store with more blobs than one page is listed completely', { skip }, async (context) => {
  const store = await storeFor(context, await serverFor(context), patient);
  const written = new Set<string>();
  const rest = Array.from({ length: 1_010 }).values();
  const writer = async () => {
    for (const _ of rest) written.add(await writeText(store, 'again'));
  };
  await Promise.all(Array.from({ length: 16 }, writer));
  const listed = (await Array.fromAsync(store.list())).map((entry) => entry.key);
  assert.equal(listed.length, 1_010);
  assert.deepEqual(new Set(listed), written);
});

describe('the address of an S3 store', () => {
  test('names bucket, prefix, endpoint, region and credentials', () => {
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

  test('has the bucket in the path when the endpoint is an address or localhost, or when it says so', () => {
    const styleOf = (parameters: string) => parseS3Url(`s3://games?${parameters}`).pathStyle;
    for (const host of ['localhost:9000', '10.0.0.1', '[::1]:9000']) {
      assert.equal(styleOf(`endpoint=http://${host}`), true, host);
      assert.equal(styleOf(`endpoint=http://${host}&pathStyle=0`), false, host);
    }
    assert.equal(styleOf('endpoint=https://s3.example'), false);
    assert.equal(styleOf('endpoint=https://s3.example&pathStyle=1'), true);
    assert.equal(styleOf('region=eu'), false);
  });

  test('is refused when malformed, without naming the secret', () => {
    for (const url of [
      'https://bucket',
      's3://',
      `${credentials}?unknown=1`,
      `${credentials}?endpoint=ftp://x`,
      `${credentials}?pathStyle=true`,
      's3://id@bucket',
    ]) {
      assert.throws(
        () => parseS3Url(url),
        (error: Error) => !error.message.includes('secret@'),
      );
    }
  });
});

async function serverFor(context: TestContext): Promise<string> {
  const server = await startS3();
  context.after(server.stop);
  return server.url;
}

async function storeFor(context: TestContext, url: string, timing?: S3Timing): Promise<BlobStore> {
  const store = await openS3Store(url, timing);
  context.after(() => store.close());
  return store;
}

/** Asserts that every operation fails as unavailable, and soon. */
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
    assert.ok(performance.now() - began < noticedWithinMs);
  }
}

function writeText(store: BlobStore, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return store.write(Readable.from([Buffer.from(bytes)]), { hash, size: bytes.byteLength });
}
