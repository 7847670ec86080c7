import { createHash } from 'node:crypto';
import { BlobGone, type BlobStore, StoreUnavailable } from './blob-store.ts';

export type FileState = 'ok' | 'missing' | 'damaged';

/** A store may give a body that was cut short, or another one, without saying so. A damaged file is so each time. */
const readings = 3;

/**
 * Reads a stored file to its end, and returns whether it has the bytes that its key names. It is read again before it
 * counts as damaged.
 * @throws `StoreUnavailable`
 */
export async function verifyFile(store: Pick<BlobStore, 'open'>, key: string): Promise<FileState> {
  let state: FileState = 'damaged';
  for (let reading = 0; reading < readings && state === 'damaged'; reading++)
    state = await readOnce(store, key);
  return state;
}

async function readOnce(store: Pick<BlobStore, 'open'>, key: string): Promise<FileState> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of await store.open(key)) hash.update(chunk as Buffer);
  } catch (error) {
    if (error instanceof BlobGone) return 'missing';
    if (error instanceof StoreUnavailable) throw error;
    // A disk that can no longer read a file fails in this way.
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return 'damaged';
    throw new StoreUnavailable(`the store broke off in ${key}`, { cause: error });
  }
  return key.startsWith(`${hash.digest('hex')}-`) ? 'ok' : 'damaged';
}
