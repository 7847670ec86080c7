import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BlobGone, BlobMismatch, type BlobStore, BlobTooLong } from './blob-store.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The tests that every store must pass. `open` returns an empty store. */
export function describeBlobStore(
  name: string,
  open: () => Promise<{ store: BlobStore; cleanup: () => Promise<void> }>,
  options: { skip?: string | false } = {},
): void {
  describe(`${name} as a blob store`, options, () => {
    let store: BlobStore;
    let cleanup: () => Promise<void>;
    before(async () => {
      ({ store, cleanup } = await open());
    });
    after(async () => {
      await store.close();
      await cleanup();
    });

    async function keys(): Promise<Set<string>> {
      const found = new Set<string>();
      for await (const { key } of store.list()) found.add(key);
      return found;
    }

    /** Runs a call that must fail, and asserts that it left nothing. */
    async function leavesNothing(
      failing: () => Promise<unknown>,
      error: assert.AssertPredicate,
    ): Promise<void> {
      const earlier = await keys();
      await assert.rejects(failing, error);
      assert.deepEqual(await keys(), earlier);
    }

    test('gives back what it was given, under a key of the hash', async () => {
      const bytes = randomBytes(300_000);
      const before = Date.now();
      const key = await store.write(inChunks(bytes, 7_000), described(bytes));
      assert.match(key, new RegExp(`^${described(bytes).hash}-[0-9a-z]{8}$`, 'u'));
      assert.ok((await store.read(key)).equals(bytes));
      assert.ok((await buffer(await store.open(key))).equals(bytes));
      const listed = await Array.fromAsync(store.list());
      const entry = listed.find((candidate) => candidate.key === key);
      // Stores round the time to seconds, or to the ticks of their clock.
      assert.ok(entry && Math.abs(entry.writtenAt - before) < 60_000);
    });

    test('puts bytes back under the key that they had, and under no other', async () => {
      const bytes = randomBytes(3_000);
      const key = await store.write(inChunks(bytes, 1_000), described(bytes));
      await store.delete(key);
      assert.equal(await store.write(inChunks(bytes, 1_000), described(bytes), key), key);
      assert.ok((await store.read(key)).equals(bytes));
      const other = randomBytes(10);
      for (const wrong of [key, '../../etc/passwd', `${described(other).hash}-`]) {
        await leavesNothing(() => store.write(inChunks(other, 5), described(other), wrong), TypeError);
      }
    });

    test('belongs to the last one who claimed it, and does not list that as a blob', async () => {
      assert.equal(await store.owner(), null);
      const earlier = await keys();
      for (const owner of ['first', 'second']) {
        await store.claim(owner);
        assert.equal(await store.owner(), owner);
      }
      assert.deepEqual(await keys(), earlier);
    });

    test('keeps an empty blob', async () => {
      const key = await store.write(Readable.from([]), described(Buffer.alloc(0)));
      assert.equal((await store.read(key)).length, 0);
      assert.equal((await buffer(await store.open(key))).length, 0);
    });

    for (const size of [1_000, 6_000_000]) {
      test(`refuses other bytes than announced, and keeps none of ${size}`, async () => {
        const bytes = randomBytes(size);
        const expected = { hash: described(randomBytes(8)).hash, size };
        await leavesNothing(() => store.write(inChunks(bytes, 64_000), expected), BlobMismatch);
      });

      test(`refuses fewer bytes than announced, and keeps none of ${size}`, async () => {
        const bytes = randomBytes(size);
        const expected = { ...described(bytes), size: size + 1 };
        await leavesNothing(() => store.write(inChunks(bytes, 64_000), expected), BlobMismatch);
      });

      test(`keeps nothing of a source of ${size} bytes that fails half way`, async () => {
        const bytes = randomBytes(size);
        const fault = new Error('the line went dead');
        async function* failing(): AsyncGenerator<Uint8Array> {
          yield* inChunks(bytes.subarray(0, size - 10), 64_000);
          throw fault;
        }
        await leavesNothing(
          () => store.write(failing(), described(bytes)),
          (error) => error === fault,
        );
      });
    }

    test('cuts a source off at the announced size', async () => {
      let given = 0;
      const endless = new Readable({
        highWaterMark: 0,
        read() {
          given += 1_000;
          this.push(Buffer.alloc(1_000));
        },
      });
      const expected = { hash: described(Buffer.alloc(5_000)).hash, size: 5_000 };
      await leavesNothing(() => store.write(endless, expected), BlobTooLong);
      assert.ok(endless.destroyed);
      assert.ok(given < 10_000, `${given} bytes were taken`);
    });

    test('gives ranges, both ends included', async () => {
      const bytes = randomBytes(10_000);
      const key = await store.write(inChunks(bytes, 999), described(bytes));
      for (const [start, end] of [
        [0, 0],
        [0, 9_999],
        [1, 2],
        [5_000, 20_000],
        [9_999, 9_999],
      ] as const) {
        const part = await buffer(await store.open(key, { start, end }));
        assert.ok(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`);
      }
      assert.equal((await buffer(await store.open(key, { start: 10_000, end: 10_001 }))).length, 0);
    });

    test('gives the same bytes written at once two keys, each with a life of its own', async () => {
      const bytes = randomBytes(50_000);
      const write = () => store.write(inChunks(bytes, 5_000), described(bytes));
      const [one, two] = await Promise.all([write(), write()]);
      assert.notEqual(one, two);
      await store.delete(one);
      assert.ok((await store.read(two)).equals(bytes));
    });

    test('deletes, also what is not there', async () => {
      const bytes = randomBytes(100);
      const key = await store.write(inChunks(bytes, 100), described(bytes));
      assert.equal(await store.size(key), bytes.length);
      await store.delete(key);
      await store.delete(key);
      assert.ok(!(await keys()).has(key));
      await assert.rejects(store.size(key), BlobGone);
      await assert.rejects(store.read(key), BlobGone);
      await assert.rejects(store.open(key), BlobGone);
      await assert.rejects(store.open(key, { start: 0, end: 1 }), BlobGone);
    });

    test('takes nothing for a key that is none', async () => {
      const { hash } = described(Buffer.alloc(0));
      for (const key of [
        '',
        '..',
        `../${hash}-00000000`,
        `${hash}`,
        `${hash}-0000/000`,
        `${hash}-00000000\0`,
      ]) {
        await assert.rejects(store.open(key), BlobGone);
        await assert.rejects(store.read(key), BlobGone);
        await store.delete(key);
      }
    });

    test('answers a ping', () => store.ping());

    test('does not hold 200 MB in memory', async () => {
      const chunkBytes = 64 * 1024;
      const chunks = 3_200;
      const hash = createHash('sha256');
      for (let index = 0; index < chunks; index += 1) hash.update(numbered(index, chunkBytes));
      const atRest = heldBytes();
      let most = 0;
      async function* source(): AsyncGenerator<Uint8Array> {
        for (let index = 0; index < chunks; index += 1) {
          if (index % 160 === 0) most = Math.max(most, heldBytes() - atRest);
          yield numbered(index, chunkBytes);
        }
      }
      const key = await store.write(source(), { hash: hash.digest('hex'), size: chunks * chunkBytes });
      // This includes the memory of a server in this process.
      assert.ok(most < 120_000_000, `${most} bytes were held`);
      const back = createHash('sha256');
      for await (const chunk of await store.open(key)) back.update(chunk);
      assert.equal(back.digest('hex'), key.slice(0, 64));
      await store.delete(key);
    });

    test('does not mind how the bytes are cut', async () => {
      const bytes = fc.uint8Array({ maxLength: 3_000 });
      const cuts = fc.array(fc.nat({ max: 3_000 }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(bytes, cuts, async (content, places) => {
          const key = await store.write(cut(content, places), described(content));
          assert.deepEqual(new Uint8Array(await store.read(key)), content);
        }),
        { numRuns: 40 },
      );
    });
  });
}

function described(bytes: Uint8Array): { hash: string; size: number } {
  return { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.byteLength };
}

/**
 * Bytes that wait for the garbage collector do not count: on a busy machine they may be as many as were read.
 */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

function numbered(index: number, bytes: number): Buffer {
  return Buffer.alloc(bytes, index % 251);
}

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

async function* cut(bytes: Uint8Array, places: number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const place of places.toSorted((one, two) => one - two)) {
    yield bytes.subarray(start, place);
    start = Math.max(start, Math.min(place, bytes.byteLength));
  }
  yield bytes.subarray(start);
}
