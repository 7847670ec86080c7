import type { Platform } from '../platform/context.ts';
import { dropVersion, findAbandoned, findSurplus, sweepPreviewLinks } from './retention.queries.ts';

const dayMs = 24 * 3_600_000;
const batch = 100;

/**
 * Deletes versions and links that nobody can reach any more: versions that were never finished, a day after
 * their links ended; versions older than the newest KEEP_VERSIONS of their space, except the live one and
 * those that wait for a verdict; preview links, a day after their end (until then they answer 410, not 404).
 * The collector deletes the files.
 */
export async function sweepVersions({ database, clock, config }: Platform): Promise<number> {
  const now = clock.now();
  let dropped = 0;
  for (const find of [
    () => findAbandoned(database.db, now - dayMs, batch),
    () => findSurplus(database.db, config.KEEP_VERSIONS, batch),
  ]) {
    for (;;) {
      const ids = await find();
      for (const { id, status } of ids) {
        // The deletion is conditional: a finish or a rollback that came in between wins.
        const isGone = await database.transaction(async (tx) => {
          tx.announce('version', id);
          return dropVersion(tx, id, status);
        });
        if (isGone) dropped++;
      }
      if (ids.length < batch) break;
    }
  }
  await sweepPreviewLinks(database.db, now - dayMs);
  return dropped;
}
