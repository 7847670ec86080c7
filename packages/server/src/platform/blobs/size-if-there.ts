import { BlobGone, type BlobStore } from './blob-store.ts';

/** Returns the number of bytes under a key; null if there are none. */
export async function sizeIfThere(store: Pick<BlobStore, 'size'>, key: string): Promise<number | null> {
  try {
    return await store.size(key);
  } catch (error) {
    if (error instanceof BlobGone) return null;
    throw error;
  }
}
