import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isBlobKey } from '../blobs/blob-key.ts';
import { BlobGone, type BlobStore } from '../blobs/blob-store.ts';
import { randomLabel } from '../secrets/id.ts';
import { blobPath, type StoredBlob } from './layout.ts';
import { sideBySide } from './side-by-side.ts';

const copiesAtOnce = 8;

export interface KeptBlobs {
  /** Sorted by key. */
  readonly blobs: readonly StoredBlob[];
  /** How many were not in the folder yet. */
  readonly copied: number;
  /** Keys that the store does not have. */
  readonly missing: readonly string[];
  /** Keys whose files are not what their hash says. */
  readonly damaged: readonly string[];
}

/** Copies what is not there yet from the store into the backup. A file has its name only once its hash is right. */
export async function keepBlobs(
  store: BlobStore,
  directory: string,
  keys: ReadonlySet<string>,
): Promise<KeptBlobs> {
  const blobs: StoredBlob[] = [];
  const missing: string[] = [];
  const damaged: string[] = [];
  let copied = 0;
  await sideBySide(keys, copiesAtOnce, async (key) => {
    const path = blobPath(directory, key);
    const size = await stat(path).then((found) => found.size, absent);
    if (size !== null) {
      blobs.push({ key, size });
      return;
    }
    const copy = await copyBlob(store, key, path);
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

/** Returns the size. A file that is lost is no reason to back up nothing: it is named, and the rest goes on. */
async function copyBlob(
  store: BlobStore,
  key: string,
  path: string,
): Promise<number | 'missing' | 'damaged'> {
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
      await unlink(temporary);
      return 'damaged';
    }
    await rename(temporary, path);
    return size;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    if (error instanceof BlobGone) return 'missing';
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
