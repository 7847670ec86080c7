import type { BlobStore } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';

/**
 * Opens the configured store: S3 if there is a `url` (`s3://…`, see `openS3Store`), else a folder, which every
 * user may read if it `isShared`.
 */
export async function openBlobStore(options: {
  url: string | null;
  folder: string;
  isShared?: boolean;
}): Promise<BlobStore> {
  if (options.url === null) return openFolderStore(options.folder, options);
  // The S3 client is large: a service with a folder starts without it.
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(options.url);
}
