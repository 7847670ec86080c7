import type { BlobStore } from './blob-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';

/** The store that is configured: S3 where there is a `url` (`s3://…`, see `openS3Store`), else a folder. */
export function openBlobStore(options: { url: string | null; folder: string }): Promise<BlobStore> {
  return options.url === null ? openFolderStore(options.folder) : openS3Store(options.url);
}
