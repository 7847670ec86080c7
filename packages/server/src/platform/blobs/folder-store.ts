import { access, chmod, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { randomLabel } from '../secrets/id.ts';
import { requireWritable } from '../writable.ts';
import { isBlobKey, keyFor } from './blob-key.ts';
import { BlobGone, type BlobStore, ownerFile, StoreUnavailable } from './blob-store.ts';
import { writeDurably, writePartsDurably } from './durable-file.ts';
import { FolderSync, makeDurably } from './folder-sync.ts';
import { verified } from './verified.ts';

/** Blobs up to this size are written at once, under their final name, after their hash was checked. */
const wholeBytes = 256 * 1024;
/** The size of a read. A reader that takes nothing holds two of them. */
const readBytes = 64 * 1024;
const staleAfterMs = 24 * 60 * 60 * 1000;

/**
 * Opens a store of files: `<root>/<first two digits of the hash>/<key>`. Large files are written under
 * `<root>/tmp` first. Missing folders are made. With `isShared` every user may read the files, whatever the umask
 * is: nginx, if it sends them.
 * @throws `StoreUnavailable` if they cannot be made
 */
export async function openFolderStore(root: string, { isShared = false } = {}): Promise<BlobStore> {
  const absolute = resolve(root);
  const syncs = new FolderSync();
  return onDisk(async () => {
    await makeDurably(join(absolute, 'tmp'), syncs);
    const shards = (await readdir(absolute)).filter((name) => shardPattern.test(name));
    if (isShared) for (const shard of shards) await chmod(join(absolute, shard), sharedFolder);
    return new FolderStore(absolute, { syncs, shards, isShared });
  });
}

const sharedFolder = 0o755;
const sharedFile = 0o644;

const shardPattern = /^[0-9a-f]{2}$/u;

class FolderStore implements BlobStore {
  readonly #root: string;
  readonly #temporary: string;
  readonly #syncs: FolderSync;
  readonly #isShared: boolean;
  /** Folders whose own names are durable, or are being made durable. */
  readonly #shards: Map<string, Promise<void>>;
  readonly #sweep: Promise<void>;

  constructor(
    root: string,
    { syncs, shards, isShared }: { syncs: FolderSync; shards: readonly string[]; isShared: boolean },
  ) {
    this.#root = root;
    this.#isShared = isShared;
    this.#temporary = join(root, 'tmp');
    this.#syncs = syncs;
    this.#shards = new Map(shards.map((shard) => [shard, Promise.resolve()]));
    // Removes what a crash left. The next write would meet and report the same failure.
    this.#sweep = removeStale(this.#temporary).catch(() => {});
  }

  async write(
    source: AsyncIterable<Uint8Array>,
    expected: { hash: string; size: number },
    givenKey?: string,
  ): Promise<string> {
    const key = keyFor(expected.hash, givenKey);
    const bytes = verified(source, expected);
    // A given key may have a file already, from a restore that was cut short.
    if (expected.size <= wholeBytes && givenKey === undefined) await this.#writeWhole(key, bytes);
    else await this.#writeParts(key, bytes);
    return key;
  }

  /** After a crash, a half-written file is a copy that no row names, and the collector deletes it. */
  async #writeWhole(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks = await Array.fromAsync(bytes);
    const folder = await this.#shardOf(key);
    const written = join(folder, key);
    try {
      await this.#inShard(async () => {
        await writeDurably(written, chunks);
        if (this.#isShared) await chmod(written, sharedFile);
      });
      await onDisk(() => this.#syncs.sync(folder));
    } catch (error) {
      await unlink(written).catch(() => {});
      throw error;
    }
  }

  async #writeParts(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const temporary = join(this.#temporary, randomLabel(16));
    let written: string | undefined;
    try {
      await writePartsDurably(temporary, bytes, onDisk);
      const folder = await this.#shardOf(key);
      const path = join(folder, key);
      await this.#inShard(async () => {
        if (this.#isShared) await chmod(temporary, sharedFile);
        await rename(temporary, path);
      });
      written = path;
      await onDisk(() => this.#syncs.sync(folder));
    } catch (error) {
      // Best effort: a file that cannot be removed now is removed later as stale, or by the collector.
      await unlink(temporary).catch(() => {});
      if (written) await unlink(written).catch(() => {});
      throw error;
    }
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const handle = await this.#found(key, (path) => open(path, 'r'));
    return handle.createReadStream({ ...range, highWaterMark: readBytes });
  }

  read(key: string): Promise<Buffer> {
    return this.#found(key, (path) => readFile(path));
  }

  async size(key: string): Promise<number> {
    return (await this.#found(key, (path) => stat(path))).size;
  }

  async sweep(): Promise<void> {
    await onDisk(() => removeStale(this.#temporary));
  }

  async delete(key: string): Promise<void> {
    if (isBlobKey(key)) await onDisk(() => unlink(this.#pathOf(key)).catch(nullIfAbsent));
  }

  async *list(): AsyncIterable<{ key: string; writtenAt: number }> {
    const shards = await onDisk(() => readdir(this.#root));
    for (const shard of shards.filter((name) => shardPattern.test(name))) {
      const folder = join(this.#root, shard);
      for (const name of await onDisk(() => readdir(folder))) {
        if (!isBlobKey(name)) continue;
        const about = await onDisk(() => stat(join(folder, name)).catch(nullIfAbsent));
        if (about) yield { key: name, writtenAt: Math.floor(about.mtimeMs) };
      }
    }
  }

  owner(): Promise<string | null> {
    return onDisk(() => readFile(join(this.#root, ownerFile), 'utf8').catch(nullIfAbsent));
  }

  async claim(owner: string): Promise<void> {
    const temporary = join(this.#temporary, randomLabel(16));
    await onDisk(async () => {
      await writeDurably(temporary, [new TextEncoder().encode(owner)]);
      await rename(temporary, join(this.#root, ownerFile));
      await this.#syncs.sync(this.#root);
    });
  }

  async ping(): Promise<void> {
    await onDisk(() => requireWritable(this.#temporary));
  }

  async close(): Promise<void> {
    await this.#sweep;
    await this.#syncs.close();
  }

  #pathOf(key: string): string {
    return join(this.#root, key.slice(0, 2), key);
  }

  async #found<T>(key: string, read: (path: string) => Promise<T>): Promise<T> {
    const found = isBlobKey(key) ? await onDisk(() => read(this.#pathOf(key)).catch(nullIfAbsent)) : null;
    if (found !== null) return found;
    // If the disk is not mounted, every file is missing: that says nothing about this key.
    await onDisk(() => access(this.#temporary));
    throw new BlobGone(`no blob ${key}`);
  }

  /** Returns the folder for a key. It is made, durably, when it is first needed. */
  async #shardOf(key: string): Promise<string> {
    const shard = key.slice(0, 2);
    const folder = join(this.#root, shard);
    let made = this.#shards.get(shard);
    if (!made) {
      made = onDisk(async () => {
        // If the root is gone (a disk unmounted), writing into its mount point would lose the bytes.
        await access(this.#temporary);
        await mkdir(folder).catch((error) => {
          if (error.code !== 'EEXIST') throw error;
        });
        if (this.#isShared) await chmod(folder, sharedFolder);
        await this.#syncs.sync(this.#root);
      });
      this.#shards.set(shard, made);
      made.catch(() => this.#shards.delete(shard));
    }
    await made;
    return folder;
  }

  async #inShard(write: () => Promise<void>): Promise<void> {
    try {
      await onDisk(write);
    } catch (error) {
      // The folder may be gone: the next write checks again.
      this.#shards.clear();
      throw error;
    }
  }
}

/**
 * Runs file system calls. Any failure (a full, broken, read-only or absent disk) becomes `StoreUnavailable`.
 */
async function onDisk<T>(calls: () => Promise<T>): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable('the blob folder does not take or give files', { cause: error });
  }
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function removeStale(folder: string): Promise<void> {
  const staleBefore = Date.now() - staleAfterMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const about = await stat(path).catch(nullIfAbsent);
    if (about && about.mtimeMs < staleBefore) await unlink(path);
  }
}
