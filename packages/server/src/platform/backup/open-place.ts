import type { BackupPlace } from './place.ts';

/**
 * Opens a place: `s3://…` as for the file store, or a folder. Nothing is requested or made yet. A backup to S3
 * is made in `temporaryFolder` first.
 */
export async function openBackupPlace(address: string, temporaryFolder: string): Promise<BackupPlace> {
  if (!/^s3:\/\//iu.test(address)) {
    const { FolderPlace } = await import('./folder-place.ts');
    return new FolderPlace(address);
  }
  // The S3 client is large, so it is imported only where it is used.
  const { S3Place } = await import('./s3-place.ts');
  return new S3Place(address, temporaryFolder);
}

/** Runs `work` with a place, and closes the place afterwards. */
export async function withBackupPlace<T>(
  address: string,
  temporaryFolder: string,
  work: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const place = await openBackupPlace(address, temporaryFolder);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}
