import type { BackupPlace } from './place.ts';

/** `s3://…` as for the file store, or a folder. Nothing is asked or made yet. */
export async function openBackupPlace(address: string): Promise<BackupPlace> {
  if (!/^s3:\/\//iu.test(address)) {
    const { FolderPlace } = await import('./folder-place.ts');
    return new FolderPlace(address);
  }
  // The S3 client is large: who has no use for it starts without it.
  const { S3Place } = await import('./s3-place.ts');
  return S3Place.at(address);
}

/** Works with a place, and closes it. */
export async function withBackupPlace<T>(
  address: string,
  work: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const place = await openBackupPlace(address);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}
