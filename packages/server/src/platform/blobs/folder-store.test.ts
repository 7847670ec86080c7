import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { describeBlobStore } from './blob-store.conformance.ts';
import { BlobMismatch, type BlobStore, StoreUnavailable } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';

describeBlobStore('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-blobs-'));
  const store = await openFolderStore(join(folder, 'data', 'blobs'));
  return { store, cleanup: () => rm(folder, { recursive: true }) };
});

describe('a folder of blobs', () => {
  let parent: string;
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'spaceport-blobs-'));
  });
  after(() => rm(parent, { recursive: true }));

  test('lays blobs out by the first digits of their hash, and leaves no temporary file', async () => {
    const root = join(parent, 'layout');
    const store = await openFolderStore(root);
    const key = await write(store, randomBytes(1_000_000));
    assert.ok((await stat(join(root, key.slice(0, 2), key))).isFile());
    const wrong = { hash: key.slice(0, 64), size: 1_000_000 };
    await assert.rejects(store.write(Readable.from([randomBytes(1_000_000)]), wrong), BlobMismatch);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
    await store.close();
  });

  test('has the same blobs after it was closed and opened again', async () => {
    const root = join(parent, 'again');
    const first = await openFolderStore(root);
    const key = await write(first, Buffer.from('kept'));
    await first.close();
    const second = await openFolderStore(root);
    assert.equal((await second.read(key)).toString(), 'kept');
    await write(second, Buffer.from('kept'));
    assert.equal((await Array.fromAsync(second.list())).length, 2);
    await second.close();
  });

  test('removes temporary files that a crash left a day ago, and only those', async () => {
    const root = join(parent, 'stale');
    await mkdir(join(root, 'tmp'), { recursive: true });
    const longAgo = (Date.now() - 25 * 60 * 60 * 1_000) / 1_000;
    await writeFile(join(root, 'tmp', 'old'), 'half');
    await utimes(join(root, 'tmp', 'old'), longAgo, longAgo);
    await writeFile(join(root, 'tmp', 'new'), 'half');
    const store = await openFolderStore(root);
    await store.close();
    assert.deepEqual(await readdir(join(root, 'tmp')), ['new']);
  });

  test('lists nothing but blobs', async () => {
    const root = join(parent, 'others');
    const store = await openFolderStore(root);
    const key = await write(store, Buffer.from('one'));
    await writeFile(join(root, key.slice(0, 2), 'README'), '');
    await writeFile(join(root, 'lost+found'), '');
    assert.deepEqual(
      (await Array.fromAsync(store.list())).map((entry) => entry.key),
      [key],
    );
    await store.close();
  });

  test('is unavailable, not empty, while its disk is missing, and serves again afterwards', async () => {
    const root = join(parent, 'away');
    const store = await openFolderStore(root);
    const key = await write(store, Buffer.from('here'));
    await rename(root, `${root}-unmounted`);
    // A mount point without its disk is an empty folder.
    for (const mountPoint of [false, true]) {
      if (mountPoint) await mkdir(root);
      await assert.rejects(store.ping(), StoreUnavailable);
      await assert.rejects(store.open(key), StoreUnavailable);
      await assert.rejects(store.read(key), StoreUnavailable);
      const source = Readable.from([Buffer.from('lost?')]);
      const expected = { hash: createHash('sha256').update('lost?').digest('hex'), size: 5 };
      await assert.rejects(store.write(source, expected), StoreUnavailable);
      assert.ok(source.destroyed);
    }
    assert.deepEqual(await readdir(root), []);
    await rm(root, { recursive: true });
    await rename(`${root}-unmounted`, root);
    assert.equal((await store.read(key)).toString(), 'here');
    await write(store, Buffer.from('and on'));
    await store.close();
  });

  test('cannot be opened when its path is a file', async () => {
    await writeFile(join(parent, 'file'), '');
    await assert.rejects(openFolderStore(join(parent, 'file')), StoreUnavailable);
    await access(join(parent, 'file'));
  });

  test('stores two thousand small blobs from sixteen writers', async () => {
    const store = await openFolderStore(join(parent, 'many'));
    const blobs = Array.from({ length: 2_000 }, () => randomBytes(2_000));
    const keys: string[] = [];
    const rest = blobs.values();
    const writer = async () => {
      for (const bytes of rest) keys.push(await write(store, bytes));
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    assert.deepEqual(new Set((await Array.fromAsync(store.list())).map((entry) => entry.key)), new Set(keys));
    await store.close();
  });
});

function write(store: BlobStore, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return store.write(Readable.from([Buffer.from(bytes)]), { hash, size: bytes.byteLength });
}
