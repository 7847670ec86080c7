import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { MemoryStore } from '../../serving/testing/content-host.ts';
import { BlobMismatch } from './blob-store.ts';
import { writeDelta } from './delta.ts';
import { deltaOf, isDeltaOf } from './delta-form.ts';

describe('a delta', () => {
  it('begins as RFC 9842 says, and is small when little has changed', () => {
    const before = randomBytes(300_000);
    const file = Buffer.concat([before.subarray(0, 100_000), randomBytes(50), before.subarray(100_000)]);
    const delta = deltaOf(file, before);
    assert.equal(delta.subarray(0, 8).toString('hex'), '5e2a4d1820000000');
    assert.deepEqual(delta.subarray(8, 40), createHash('sha256').update(before).digest());
    assert.ok(delta.length < 400, String(delta.length));
    // zstd itself skips the frame in front.
    assert.ok(zstdDecompressSync(delta, { dictionary: before }).equals(file));
  });

  it('restores the file, whatever the file and the dictionary are', () => {
    const bytes = fc.uint8Array({ maxLength: 2_000 }).map(Buffer.from);
    fc.assert(
      fc.property(bytes, bytes, (file, dictionary) => isDeltaOf(deltaOf(file, dictionary), file, dictionary)),
      {
        numRuns: 50,
      },
    );
  });

  it('uses the whole dictionary for a file that is larger than the smallest window', () => {
    const before = randomBytes(10 * 1024 * 1024);
    const file = Buffer.from(before);
    file[9_999_999] = (file[9_999_999] ?? 0) ^ 1;
    assert.ok(deltaOf(file, before).length < 20_000);
  });
});

it('a delta is made in a process of its own, and stored when it is small enough', async () => {
  const store = new MemoryStore();
  const before = randomBytes(100_000);
  const file = Buffer.concat([before, Buffer.from('more')]);
  const [dictionary, blob] = [store.put(before), store.put(file)];
  const made = await writeDelta(store, blob, dictionary, 1_000);
  const delta = await store.read(made?.key ?? '');
  assert.equal(delta.length, made?.size);
  assert.ok(isDeltaOf(delta, file, before));
  assert.equal(await writeDelta(store, store.put(randomBytes(50_000)), dictionary, 1_000), null);
  for (const gives of [
    (bytes: Buffer) => bytes.subarray(10),
    (bytes: Buffer) => Buffer.from(bytes).fill('x', 500, 501),
  ]) {
    store.gives = gives;
    await assert.rejects(writeDelta(store, blob, dictionary, 1_000), BlobMismatch);
  }
  store.gives = undefined;
  store.fault = new Error('the store is away');
  await assert.rejects(writeDelta(store, blob, dictionary, 1_000), /the store is away/u);
});
