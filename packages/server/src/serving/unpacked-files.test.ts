import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { MemoryStore } from './testing/content-host.ts';
import { NotUnpackable } from './unpack.ts';
import { UnpackedFiles } from './unpacked-files.ts';

const megabyte = 1024 * 1024;

function oneByteWrong(bytes: Buffer): Buffer {
  const wrong = Buffer.from(bytes);
  wrong.writeUInt8(wrong.readUInt8(50_000) ^ 1, 50_000);
  return wrong;
}

async function unpacking(maxBytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-unpacked-'));
  const store = new MemoryStore();
  const files = new UnpackedFiles(store, { folder, waitMilliseconds: 5_000, maxBytes });
  return {
    folder,
    store,
    files,
    /** A packed file of random bytes, and a function that requests it. */
    file(site: string, size = megabyte) {
      const bytes = randomBytes(size);
      const { key, size: packedSize } = store.put(gzipSync(bytes));
      const by = { site, network: site };
      const open = (isGone = () => false) =>
        files.open({ key, size: packedSize, coding: 'gzip' }, { ...by }, isGone);
      return { bytes, open };
    },
    async [Symbol.asyncDispose]() {
      files.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('unpacked files', () => {
  test('are kept for the next reader, in files that have been unlinked', async () => {
    await using at = await unpacking(10 * megabyte);
    const { bytes, open } = at.file('a', 3 * megabyte);
    for (let round = 0; round < 3; round++) assert.ok((await buffer(await open())).equals(bytes));
    const [one, other] = await Promise.all([open(), open()]);
    assert.deepEqual(await Promise.all([buffer(one), buffer(other)]), [bytes, bytes]);
    assert.equal(at.store.opened, 1);
    assert.deepEqual(await readdir(at.folder), []);
  });

  test('are dropped for new ones, those without readers first', async () => {
    await using at = await unpacking(3 * megabyte);
    const read = at.file('a');
    const [unread, later, last] = ['b', 'c', 'd'].map((site) => at.file(site));
    const reader = await read.open();
    for (const file of [unread, later, last])
      assert.ok(file && (await buffer(await file.open())).equals(file.bytes));
    assert.ok((await buffer(reader)).equals(read.bytes));
    assert.equal(at.store.opened, 4);
    await buffer((await last?.open()) ?? reader);
    assert.equal(at.store.opened, 4, 'still there');
    await buffer((await unread?.open()) ?? reader);
    assert.equal(at.store.opened, 5, 'made way');
  });

  test('of the site with most files are dropped for another site, even while they are read', async () => {
    await using at = await unpacking(3 * megabyte);
    const mine = [at.file('greedy'), at.file('greedy')];
    const other = at.file('other');
    const readers = await Promise.all([...mine, other].map(({ open }) => open()));
    // The readers begin, and then read nothing.
    for (const reader of readers) await new Promise((resolve) => reader.once('readable', resolve));
    const newcomer = at.file('newcomer');
    const failed = new Promise((resolve) => readers[0]?.once('error', resolve));
    assert.ok((await buffer(await newcomer.open())).equals(newcomer.bytes));
    readers[0]?.resume();
    assert.match(String(await failed), /room was needed/u);
    assert.ok((await buffer(readers[2] ?? process.stdin)).equals(other.bytes));
  });

  test('are not unpacked for readers who have left, and can be requested again', async () => {
    await using at = await unpacking(10 * megabyte);
    const { bytes, open } = at.file('a');
    await assert.rejects(
      open(() => true),
      /nobody waits/u,
    );
    assert.equal(at.store.opened, 0);
    assert.ok((await buffer(await open())).equals(bytes));
  });

  test('can be requested again after the store fails', async () => {
    await using at = await unpacking(10 * megabyte);
    const { bytes, open } = at.file('a');
    at.store.breakAfter = 200_000;
    await assert.rejects(open(), /disk is broken/u);
    at.store.breakAfter = undefined;
    assert.ok((await buffer(await open())).equals(bytes));
  });

  test('can be requested again after the store gave a part as if it were the whole', async () => {
    await using at = await unpacking(10 * megabyte);
    const { bytes, open } = at.file('a');
    at.store.gives = (stored) => stored.subarray(0, stored.length / 2);
    await assert.rejects(open(), StoreUnavailable);
    at.store.gives = undefined;
    assert.ok((await buffer(await open())).equals(bytes));
  });

  test('are not kept of damaged bytes, even if these can be unpacked', async () => {
    await using at = await unpacking(10 * megabyte);
    const bytes = randomBytes(100_000);
    const packed = { ...at.store.put(brotliCompressSync(bytes)), coding: 'br' } as const;
    const open = () => at.files.open(packed, { site: 'a', network: 'a' }, () => false);
    at.store.gives = oneByteWrong;
    // Brotli has no checksum: what cannot be compressed is in it as it is.
    assert.equal(brotliDecompressSync(oneByteWrong(brotliCompressSync(bytes))).length, bytes.length);
    await assert.rejects(open(), StoreUnavailable);
    at.store.gives = undefined;
    assert.ok((await buffer(await open())).equals(bytes));
  });

  test('that can never be unpacked are tried once', async () => {
    await using at = await unpacking(10 * megabyte);
    const packed = { ...at.store.put(randomBytes(1_000)), coding: 'gzip' } as const;
    const open = () => at.files.open(packed, { site: 'a', network: 'a' }, () => false);
    await assert.rejects(open(), NotUnpackable);
    const tried = at.store.opened;
    await assert.rejects(open(), NotUnpackable);
    assert.equal(at.store.opened, tried);
  });
});
