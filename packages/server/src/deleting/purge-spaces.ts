import { hideBoardsOf } from '../boards/drop-boards.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { dequeueAll } from '../platform/jobs/dequeue.ts';
import { changeSpaceRow, findDeletedBefore, lockEvenDeleted } from '../spaces/spaces.ts';
import { dropSpace, emptySpace } from './drop-space.ts';
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

/**
 * What `deleted_at` is from the moment in which a purge begins: before any instant. So nothing restores the space then,
 * however long RESTORE_SECONDS becomes, and the next sweep goes on with it first if this one breaks off.
 */
const beingPurged = -1_000_000_000_000_000;

/**
 * Returns false if the space was restored, or purged by another process, in the meantime.
 */
async function purge(database: Database, id: SpaceId, before: number): Promise<boolean> {
  const isBegun = await database.transaction(async (tx) => {
    const space = await lockEvenDeleted(tx, id);
    if (!space || space.deleted_at === null || space.deleted_at > before) return false;
    await changeSpaceRow(tx, id, { deleted_at: beingPurged });
    await dequeueAll(tx, id);
    await hideBoardsOf(tx, id);
    return true;
  });
  if (!isBegun) return false;
  await emptySpace(database, id);
  return database.transaction(async (tx) => {
    // Another process may have come to the end first.
    const space = await lockEvenDeleted(tx, id);
    if (space) await dropSpace(tx, id, null);
    return space !== undefined;
  });
}
