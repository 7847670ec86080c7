import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isBlobKey } from '../blobs/blob-key.ts';
import { BlobGone, type BlobStore } from '../blobs/blob-store.ts';
import { randomLabel } from '../secrets/id.ts';
import { BackupError, blobPath, type StoredBlob } from './layout.ts';
import { sideBySide } from './side-by-side.ts';

const copiesAtOnce = 8;

export interface KeptBlobs {
  /** Sorted by key. */
  readonly blobs: readonly StoredBlob[];
  /** How many were not in the folder yet. */
  readonly copied: number;
  /** Keys that the store does not have. */
  readonly missing: readonly string[];
}

/** Copies what is not there yet from the store into the backup. A file has its name only once its hash is right. */
export async function keepBlobs(
  store: BlobStore,
  directory: string,
  keys: ReadonlySet<string>,
): Promise<KeptBlobs> {
  const blobs: StoredBlob[] = [];
  const missing: string[] = [];
  let copied = 0;
  await sideBySide(keys, copiesAtOnce, async (key) => {
    const path = blobPath(directory, key);
    let size = await stat(path).then((found) => found.size, absent);
    if (size === null) {
      size = await copyBlob(store, key, path);
      if (size !== null) copied++;
    }
    if (size === null) missing.push(key);
    else blobs.push({ key, size });
  });
  blobs.sort((left, right) => (left.key < right.key ? -1 : 1));
  return { blobs, copied, missing: missing.sort() };
}

/** Answers the size; null where the store does not have it. */
async function copyBlob(store: BlobStore, key: string, path: string): Promise<number | null> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), `tmp-${randomLabel(16)}`);
  const hash = createHash('sha256');
  let size = 0;
  try {
    const source = await store.open(key);
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          size += chunk.byteLength;
          yield chunk;
        }
      },
      createWriteStream(temporary, { mode: 0o600, flush: true }),
    );
    if (!key.startsWith(`${hash.digest('hex')}-`)) {
      throw new BackupError(`The file ${key} in the store is damaged: its hash is another.`);
    }
    await rename(temporary, path);
    return size;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    if (error instanceof BlobGone) return null;
    throw error;
  }
}

/** Takes files out of the backup that it does not name any more. */
export async function dropOtherBlobs(directory: string, blobs: readonly StoredBlob[]): Promise<void> {
  const kept = new Set(blobs.map(({ key }) => key));
  const root = join(directory, 'blobs');
  for (const shard of (await readdir(root).catch(absent)) ?? []) {
    for (const name of await readdir(join(root, shard))) {
      const ours = isBlobKey(name) || name.startsWith('tmp-');
      if (ours && !kept.has(name)) await unlink(join(root, shard, name));
    }
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
