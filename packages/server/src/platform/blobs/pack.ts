import type { BlobStore } from './blob-store.ts';
export async function packBlob(
  _s: BlobStore,
  _b: object,
  _o: object,
): Promise<Partial<Record<'br' | 'zstd' | 'gzip', { key: string; size: number }>>> {
  return {};
}
