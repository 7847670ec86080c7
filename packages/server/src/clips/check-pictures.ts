import { dropUnnamed } from '../platform/blobs/drop-unnamed.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { putCheckPicture } from './clips.queries.ts';
import { checkPicturePath, storePicture } from './pictures.ts';

// 26 characters are 130 random bits: only readers of the report know the address.
const nameLength = 26;

/**
 * Stores the picture that the safety check took of a version, for its creator. Returns its address. It is
 * deleted with the version.
 */
export async function keepCheckPicture(
  { database, store, urls }: Platform,
  versionId: VersionId,
  picture: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = randomLabel(nameLength);
  const key = await storePicture(store, picture);
  const before = await database.transaction((tx) =>
    putCheckPicture(tx, { version_id: versionId, name, key }),
  );
  if (before !== null) await dropUnnamed(store, [before]);
  return `${urls.app}${checkPicturePath(name)}`;
}
