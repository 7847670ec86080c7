import type { AccountId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

export async function markLeftBehind(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db
    .updateTable('versions')
    .set({ left_behind: 1 })
    .where('space_id', '=', spaceId)
    .where('left_behind', '=', 0)
    .execute();
}

/** Stops the versions of a space that wait for a verdict. Returns their ids. */
export async function stopChecking(tx: Tx, spaceId: SpaceId, reason: string): Promise<VersionId[]> {
  const rows = await tx.db
    .updateTable('versions')
    .set({ stopped: 1, reason })
    .where('space_id', '=', spaceId)
    .where('status', '=', 'checking')
    .where('stopped', '=', 0)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Stops the versions of every space of an account that wait for a verdict. Returns their ids. */
export async function stopCheckingOf(tx: Tx, ownerId: AccountId, reason: string): Promise<VersionId[]> {
  const rows = await tx.db
    .updateTable('versions')
    .set({ stopped: 1, reason })
    .where('space_id', 'in', (some) =>
      some.selectFrom('spaces').select('spaces.id').where('spaces.owner_id', '=', ownerId),
    )
    .where('status', '=', 'checking')
    .where('stopped', '=', 0)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
