import type { BlobStore } from './blob-store.ts';

/**
 * Deletes copies that no row names, or that none names any more. It never fails, because what was done stays done:
 * the collector deletes what is left a day later.
 */
export async function dropUnnamed(store: Pick<BlobStore, 'delete'>, keys: Iterable<string>): Promise<void> {
  for (const key of keys) await store.delete(key).catch(() => {});
}
