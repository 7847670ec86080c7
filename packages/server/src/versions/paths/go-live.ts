import type { VersionId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { SpaceRow } from '../../spaces/spaces.ts';
import { packJob } from '../job-kinds.ts';
import { findManifest, readManifest, type VersionRow } from '../versions.queries.ts';
import { originsOf } from './origins.ts';
import { changeLive, findLiveBefore, hasVersionPaths, setOrigins } from './version-paths.queries.ts';

/** Unchanged files are looked for in so many versions, and dictionaries. */
export const versionsBefore = 3;

/** Another version takes the place of the live one; for the first time, or again. */
export async function takeLive(
  tx: Tx,
  space: Pick<SpaceRow, 'id' | 'live_version_id'>,
  version: Pick<VersionRow, 'id' | 'number'>,
  isFirstTime: boolean,
): Promise<void> {
  await changeLive(tx, version.id, space.live_version_id, tx.now);
  if (!isFirstTime || !(await hasVersionPaths(tx.db, version.id))) return;
  // Its deltas are made once it is known that browsers may have a use for them.
  await tx.enqueue(packJob, version.id);
  const before = await findLiveBefore(tx.db, space.id, version.number, versionsBefore);
  const known = await Promise.all(
    before.map(async (one) => ({ ...one, manifest: await manifestOf(tx, one.id) })),
  );
  const origins = originsOf(await readManifest(tx.db, version.id), known);
  if (origins.length > 0) await setOrigins(tx, version.id, origins);
}

async function manifestOf(tx: Tx, versionId: VersionId) {
  return (await findManifest(tx.db, versionId)) ?? [];
}
