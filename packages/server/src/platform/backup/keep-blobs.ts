import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isBlobKey } from '../blobs/blob-key.ts';
import { BlobGone, type BlobStore } from '../blobs/blob-store.ts';
import { randomLabel } from '../secrets/id.ts';
import { blobPath, type StoredBlob } from './layout.ts';
import type { BackupPlace } from './place.ts';
import { sideBySide } from './side-by-side.ts';

const copiesAtOnce = 8;

export interface KeptBlobs {
  /** Sorted by key. */
  readonly blobs: readonly StoredBlob[];
  /** How many were not in the place before. */
  readonly copied: number;
  /** Keys that the store does not have. */
  readonly missing: readonly string[];
  /** Keys whose files have another hash. */
  readonly damaged: readonly string[];
}

/**
 * Copies files that are not in the backup yet from the store. A file gets its name only once its hash is
 * right.
 */
export async function keepBlobs(
  store: BlobStore,
  place: BackupPlace,
  keys: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<KeptBlobs> {
  const there = await storedBlobs(place);
  const blobs: StoredBlob[] = [];
  const missing: string[] = [];
  const damaged: string[] = [];
  let copied = 0;
  await sideBySide(keys, copiesAtOnce, async (key) => {
    signal?.throwIfAborted();
    const size = there.get(key);
    if (size !== undefined) {
      blobs.push({ key, size });
      return;
    }
    const copy = await copyBlob(store, key, place, signal);
    if (copy === 'missing') missing.push(key);
    else if (copy === 'damaged') damaged.push(key);
    else {
      copied++;
      blobs.push({ key, size: copy });
    }
  });
  blobs.sort((left, right) => (left.key < right.key ? -1 : 1));
  return { blobs, copied, missing: missing.sort(), damaged: damaged.sort() };
}

/** Returns the files in a place with their sizes, of all backups. */
export async function storedBlobs(place: BackupPlace): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { path, size } of place.list('blobs/')) {
    const key = path.slice(path.lastIndexOf('/') + 1);
    if (isBlobKey(key)) found.set(key, size);
  }
  return found;
}

/** Returns the size. A lost file does not fail the backup: it is named, and the rest goes on. */
async function copyBlob(
  store: BlobStore,
  key: string,
  place: BackupPlace,
  signal: AbortSignal | undefined,
): Promise<number | 'missing' | 'damaged'> {
  const temporary = join(place.scratch, randomLabel(16));
  const digest = createHash('sha256');
  let size = 0;
  try {
    const source = await store.open(key);
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          digest.update(chunk);
          size += chunk.byteLength;
          yield chunk;
        }
      },
      createWriteStream(temporary, { mode: 0o600, flush: true }),
      { signal },
    );
    const hash = digest.digest('hex');
    if (!key.startsWith(`${hash}-`)) {
      await unlink(temporary);
      return 'damaged';
    }
    await place.put(blobPath(key), temporary, { hash, size, signal });
    return size;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    if (error instanceof BlobGone) return 'missing';
    throw error;
  }
}

/** Deletes the files that none of the backups of the place names. */
export async function dropOtherBlobs(place: BackupPlace, kept: ReadonlySet<string>): Promise<void> {
  for await (const { path } of place.list('blobs/')) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isOurs = isBlobKey(name) || name.startsWith('tmp-');
    if (isOurs && !kept.has(name)) await place.delete(path);
  }
}
