import { oneOf, skipLocked } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Locks these spaces until the transaction ends, without waiting. Returns those that another transaction has locked.
 * Spaces that were deleted in the meantime are left out.
 */
export async function findBusy(tx: Tx, spaceIds: readonly SpaceId[]): Promise<Set<SpaceId>> {
  const among = (ids: readonly SpaceId[]) =>
    tx.db.selectFrom('spaces').select('id').where('id', 'in', oneOf(tx.db, ids)).orderBy('id');
  const locked = new Set(
    (await among(spaceIds).modifyEnd(skipLocked(tx.db, 'no key')).execute()).map(({ id }) => id),
  );
  const others = spaceIds.filter((id) => !locked.has(id));
  if (others.length === 0) return new Set();
  return new Set((await among(others).execute()).map(({ id }) => id));
}

/** Adds plays to a space and to the space's day. */
export async function addPlays(
  tx: Tx,
  { spaceId, day, plays }: { spaceId: SpaceId; day: string; plays: number },
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('spaces')
    .set((columns) => ({ plays: columns('plays', '+', plays) }))
    .where('id', '=', spaceId)
    .executeTakeFirst();
  // The space was deleted in the meantime, with its days.
  if (numUpdatedRows === 0n) return;
  await tx.db
    .insertInto('space_days')
    .values({ space_id: spaceId, day, plays })
    .onConflict((conflict) =>
      conflict
        .columns(['space_id', 'day'])
        .doUpdateSet((columns) => ({ plays: columns('space_days.plays', '+', plays) })),
    )
    .execute();
}
