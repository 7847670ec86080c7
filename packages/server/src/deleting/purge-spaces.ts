import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { dequeueAll } from '../platform/jobs/dequeue.ts';
import { findDeletedBefore, lockEvenDeleted } from '../spaces/spaces.ts';
import { dropSpace } from './drop-space.ts';
import { restoreMs } from './own-space-states.ts';

const batch = 100;

/**
 * Deletes for good the spaces that can no longer be restored: versions, boards, scores and what players have
 * in them. The collector deletes their files later. Their slugs stay taken. Returns how many there were.
 * @throws AggregateError if some could not be deleted; the others of their batch were
 */
export async function sweepDeletedSpaces(platform: Platform): Promise<number> {
  const { database, clock } = platform;
  const before = clock.now() - restoreMs(platform);
  let purged = 0;
  for (;;) {
    const spaces = await findDeletedBefore(database.db, before, batch);
    // After a failure the next look would find the same ones again.
    purged += await deleteEach(spaces, 'spaces', ({ id }) => purge(database, id, before));
    if (spaces.length < batch) return purged;
  }
}

/** Returns false if the space was restored, or purged by another process, in the meantime. */
function purge(database: Database, id: SpaceId, before: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const space = await lockEvenDeleted(tx, id);
    if (!space || space.deleted_at === null || space.deleted_at > before) return false;
    await dequeueAll(tx, id);
    await dropSpace(tx, id, null);
    return true;
  });
}
