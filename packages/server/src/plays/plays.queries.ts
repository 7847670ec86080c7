import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

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
