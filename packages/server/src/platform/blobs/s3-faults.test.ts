import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Asked, type FaultyS3, openFaultyS3 } from '../../../test/faulty-s3.ts';
import { s3Url, type TestS3 } from '../../../test/s3-address.ts';
import { startS3, withoutS3 } from '../../../test/s3-server.ts';
import { type BlobStore, StoreUnavailable } from './blob-store.ts';
import { S3Connection, usualTiming } from './s3-connection.ts';
import { openS3Store } from './s3-store.ts';
import { S3Upload } from './s3-upload.ts';
import { parseS3Url } from './s3-url.ts';

/** Only a silence that never ends is waited for here, so that a busy machine is not mistaken for one. */
const timing = { ...usualTiming, connectMs: 30_000, answerMs: 1_000, patienceMs: 100, pulseMs: 1_000 };
const patient = { ...timing, answerMs: 60_000, listMs: 60_000, sendMs: 120_000, pulseMs: 60_000 };

const isPut = ({ method }: Asked) => method === 'PUT';
const isGet = ({ method, path }: Asked) => method === 'GET' && !path.includes('list-type');
const isPart = ({ path }: Asked) => path.includes('partNumber=');
const isComplete = ({ method, path }: Asked) => method === 'POST' && path.includes('uploadId=');
const isBegin = ({ method, path }: Asked) => method === 'POST' && path.includes('uploads');
const small = 5_000;
const inParts = 6 * 1024 * 1024;

describe('an S3 store that answers late, wrongly or never', { skip: await withoutS3() }, () => {
  let server: TestS3;
  let faulty: FaultyS3;
  /** The store without faults, to look at what is there. */
  let direct: BlobStore;
  const opened: BlobStore[] = [];
  before(async () => {
    server = await startS3();
    direct = await openS3Store(server.url, patient);
  });
  after(async () => {
    await direct.close();
    await server.stop();
  });
  beforeEach(async () => {
    faulty = await openFaultyS3(server.endpoint);
  });
  afterEach(async () => {
    faulty.mend();
    for (const store of opened.splice(0)) await store.close();
    await faulty.close();
  });

  async function open(by = patient): Promise<BlobStore> {
    const store = await openS3Store(s3Url(faulty.endpoint, server.keys), by);
    opened.push(store);
    return store;
  }

  const keysThere = async () => (await Array.fromAsync(direct.list())).map(({ key }) => key).sort();

  /** Asserts that the write fails with `StoreUnavailable`, and that the store then has nothing new. */
  async function leavesNothing(store: BlobStore, size: number): Promise<void> {
    const earlier = await keysThere();
    await assert.rejects(write(store, randomBytes(size)), StoreUnavailable);
    await store.close();
    opened.splice(opened.indexOf(store), 1);
    assert.deepEqual(await keysThere(), earlier);
  }

  for (const size of [small, inParts])
    it(`gives up ${size} bytes when the caller does, while it answers only other requests`, async () => {
      const location = parseS3Url(s3Url(faulty.endpoint, server.keys));
      const connection = new S3Connection(location, patient);
      const reason = new Error('the caller ends');
      const end = new AbortController();
      faulty.spoil({ is: 'silent' }, (asked) => {
        if (isPut(asked)) end.abort(reason);
        return isPut(asked);
      });
      const bytes = randomBytes(size);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const upload = new S3Upload(connection, { Bucket: location.bucket, Key: 'given-up' }, end.signal);
      const sent = upload.send(Readable.from([bytes]), { hash, size });
      await assert.rejects(sent, (error) => error instanceof StoreUnavailable && error.cause === reason);
      await upload.remove();
      connection.client.destroy();
    });

  for (const status of [500, 503] as const) {
    it(`is retried when it answers ${status} once`, async () => {
      const store = await open();
      const isMeant = (test: (asked: Asked) => boolean) => faulty.spoil({ is: 'refused', status }, test, 1);
      for (const kind of [isPut, isGet, isBegin, isPart, isComplete]) isMeant(kind);
      for (const size of [small, inParts]) {
        const bytes = randomBytes(size);
        const key = await write(store, bytes);
        assert.ok((await store.read(key)).equals(bytes));
        isMeant(({ method }) => method === 'HEAD');
        assert.equal(await store.size(key), size);
        isMeant(({ method }) => method === 'DELETE');
        await store.delete(key);
        assert.ok(!(await keysThere()).includes(key));
      }
    });

    it(`is unavailable while it answers ${status}, and keeps nothing`, async () => {
      const key = await write(await open(), randomBytes(small));
      for (const [kind, size] of [
        [isPut, small],
        [isBegin, inParts],
        [isPart, inParts],
        [isComplete, inParts],
      ] as const) {
        faulty.mend();
        faulty.spoil({ is: 'refused', status }, kind);
        await leavesNothing(await open(), size);
      }
      faulty.spoil({ is: 'refused', status });
      const store = await open();
      for (const ask of [
        () => store.ping(),
        () => store.read(key),
        () => store.open(key, { start: 1, end: 2 }),
        () => store.size(key),
        () => store.delete(key),
        () => Array.fromAsync(store.list()),
      ])
        await assert.rejects(ask, StoreUnavailable);
    });
  }

  for (const [what, kind, size] of [
    ['a file', isPut, small],
    ['a part', isPart, inParts],
  ] as const)
    it(`is unavailable when a proxy answers for ${what} that is not stored, and keeps nothing`, async () => {
      faulty.spoil({ is: 'a page' }, kind);
      await leavesNothing(await open(), size);
    });

  it('is unavailable when completing an upload fails within a 200 answer, and keeps nothing', async () => {
    const store = await open();
    faulty.spoil({ is: 'refused', status: 200 }, isComplete);
    await leavesNothing(store, inParts);
  });

  it('is unavailable when it never answers, and keeps nothing', async () => {
    const store = await open(timing);
    const key = await write(direct, randomBytes(small));
    faulty.spoil({ is: 'silent' });
    await assert.rejects(store.read(key), StoreUnavailable);
    await assert.rejects(store.size(key), StoreUnavailable);
    await leavesNothing(store, small);
  });

  for (const [what, isMeant, size] of [
    ['one piece', isPut, small],
    ['a part', isPart, inParts],
  ] as const) {
    it(`is asked again when its answer to ${what} was lost`, async () => {
      faulty.spoil({ is: 'lost' }, isMeant, 1);
      const bytes = randomBytes(size);
      const key = await write(await open(), bytes);
      assert.ok((await direct.read(key)).equals(bytes));
    });
  }

  it('keeps no parts when every answer to completing the upload is lost', async () => {
    const store = await open();
    faulty.spoil({ is: 'lost' }, isComplete);
    await leavesNothing(store, inParts);
  });

  it('is unavailable when its answer is cut off', async () => {
    const store = await open();
    const key = await write(store, randomBytes(200_000));
    faulty.spoil({ is: 'cut', afterBytes: 1_000 }, isGet);
    await assert.rejects(store.read(key), StoreUnavailable);
    await assert.rejects(async () => buffer(await store.open(key)), StoreUnavailable);
  });

  it('is unavailable when it returns other bytes than were stored', async () => {
    const store = await open();
    const bytes = randomBytes(small);
    const key = await write(store, bytes);
    faulty.spoil({ is: 'answered wrong' }, isGet, 1);
    await assert.rejects(store.read(key), StoreUnavailable);
    assert.ok((await store.read(key)).equals(bytes));
  });

  it('is unavailable when it ignores ranges', async () => {
    const store = await open();
    const bytes = randomBytes(small);
    const key = await write(store, bytes);
    faulty.spoil({ is: 'whole', bytes }, isGet);
    for (const [start, end] of [
      [1, 9],
      [0, 0],
    ] as const)
      await assert.rejects(store.open(key, { start, end }), StoreUnavailable);
    // A range of the whole blob gives the whole blob.
    const all = await store.open(key, { start: 0, end: small - 1 });
    assert.ok((await buffer(all)).equals(bytes));
  });

  for (const [what, isMeant, size] of [
    ['in one piece', isPut, small],
    ['in parts', isPart, inParts],
  ] as const) {
    it(`refuses bytes that are changed in transit, sent ${what}`, async () => {
      const store = await open();
      faulty.spoil({ is: 'sent wrong' }, isMeant);
      await leavesNothing(store, size);
    });
  }

  it('refuses a wrong secret and an unknown one', async () => {
    const { keyId } = server.keys;
    const key = await write(direct, randomBytes(small));
    for (const keys of [
      { keyId, secret: 'another' },
      { keyId: 'nobody', secret: server.keys.secret },
    ]) {
      const store = await openS3Store(s3Url(server.endpoint, keys), patient);
      opened.push(store);
      await assert.rejects(store.ping(), StoreUnavailable);
      await assert.rejects(store.read(key), StoreUnavailable);
      await leavesNothing(store, small);
    }
  });
});

function write(store: BlobStore, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  // A copy, because a store may take over the memory of the chunk.
  return store.write(Readable.from([Buffer.from(bytes)]), { hash, size: bytes.length });
}
