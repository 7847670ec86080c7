import { createHash } from 'node:crypto';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { SpaceId } from '../platform/db/ids.ts';

/** Writes a picture to the store and returns its key. The collector deletes it unless a row names the key. */
export async function storePicture(store: BlobStore, picture: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = createHash('sha256').update(picture).digest('hex');
  return store.write(oneChunk(picture), { hash, size: picture.length });
}

async function* oneChunk(picture: Uint8Array): AsyncGenerator<Uint8Array> {
  // The store takes over the chunk; the caller keeps the picture.
  yield picture.slice();
}

/** Returns the path of a take on the app's host. */
export function takePath(spaceId: SpaceId, take: number): string {
  return `/clips/${spaceId}/${take}.webp`;
}

export function coverPath(spaceId: SpaceId, name: string): string {
  return `/clips/${spaceId}/cover-${name}.webp`;
}

export function checkPicturePath(name: string): string {
  return `/clips/checks/${name}.webp`;
}
