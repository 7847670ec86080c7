import type { Tx } from '../../platform/db/tx.ts';
import type { SpaceRow } from '../../spaces/spaces.ts';
import type { Manifest } from '../manifest.ts';
import type { VersionRow } from '../versions.queries.ts';
import { originsOf } from './origins.ts';
import { changeLive, findLiveBefore, setOrigins } from './version-paths.queries.ts';

/** The number of earlier versions in which unchanged files and dictionaries are looked for. */
export const versionsBefore = 3;

/**
 * Puts a version in the place of the live one.
 * @param manifest the version's files if it goes live for the first time, null if it was live before
 */
export async function takeLive(
  tx: Tx,
  space: Pick<SpaceRow, 'id' | 'live_version_id'>,
  version: Pick<VersionRow, 'id' | 'number'>,
  manifest: Manifest | null,
): Promise<void> {
  const [hasPaths, before] = await Promise.all([
    changeLive(tx, version.id, space.live_version_id),
    manifest && findLiveBefore(tx.db, space.id, version.number, versionsBefore),
  ]);
  if (!manifest || !before || !hasPaths) return;
  const origins = originsOf(manifest, before);
  if (origins.length > 0) await setOrigins(tx, version.id, origins);
}
