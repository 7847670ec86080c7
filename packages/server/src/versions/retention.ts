import type { Platform } from '../platform/context.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { lockEvenDeleted } from '../spaces/spaces.ts';
import { dropVersion } from './delete-version.ts';
import { findAbandoned, findCrowded, findSurplus, sweepPreviewLinks } from './retention.queries.ts';
import { findVersion } from './versions.queries.ts';

const dayMs = 24 * 3_600_000;
const batch = 100;
/** SQLite reads the newest hundred versions of as many in some ten milliseconds. */
const spacesAtOnce = 50;

/**
 * Deletes versions and links that nobody can reach any more: versions that were never finished, a day after
 * their links ended; versions older than the newest KEEP_VERSIONS finished ones of their space, except the live
 * one and those that wait for a verdict; preview links, a day after their end (until then they answer 410, not 404).
 * The collector deletes the files.
 */
export async function sweepVersions({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): Promise<number> {
  const now = clock.now();
  let dropped = 0;
  const dropAll = async (find: () => ReturnType<typeof findAbandoned>) => {
    for (;;) {
      const candidates = await find();
      dropped += await deleteEach(candidates, 'versions', ({ id, space_id, status }) =>
        database.transaction(async (tx) => {
          // A finish or a rollback that came in between wins: it has the same lock.
          const [space, version] = await Promise.all([lockEvenDeleted(tx, space_id), findVersion(tx.db, id)]);
          return space !== undefined && version?.status === status && dropVersion(tx, space, id);
        }),
      );
      if (candidates.length < batch) return;
    }
  };
  await dropAll(() => findAbandoned(database.db, now - dayMs, batch));
  const keep = config.KEEP_VERSIONS;
  for (let after: SpaceId | undefined = givenId('spc', ''); after !== undefined; ) {
    const crowded = await findCrowded(database.db, keep, { after, limit: spacesAtOnce });
    if (crowded.length > 0) await dropAll(() => findSurplus(database.db, keep, crowded, batch));
    after = crowded.length < spacesAtOnce ? undefined : crowded.at(-1);
  }
  await sweepPreviewLinks(database.db, now - dayMs);
  return dropped;
}
