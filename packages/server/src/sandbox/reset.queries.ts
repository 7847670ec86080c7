import type { AccountId, BoardId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The sandbox data of a space, of all players or of one. */
export interface SandboxScope {
  readonly spaceId: SpaceId;
  readonly playerId: AccountId | undefined;
}

export async function listSandboxBoards(tx: Tx, spaceId: SpaceId): Promise<BoardId[]> {
  const rows = await tx.db
    .selectFrom('boards')
    .select('id')
    .where('space_id', '=', spaceId)
    .where('env', '=', 'sandbox')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The tables with rows of a player in an env of a space. */
export type PlayerTable = 'player_stats' | 'unlocks' | 'rooms';

/** Returns how many rows were deleted. */
export async function deleteSandboxRows(
  tx: Tx,
  table: PlayerTable,
  { spaceId, playerId }: SandboxScope,
): Promise<number> {
  let deletion = tx.db.deleteFrom(table).where('space_id', '=', spaceId).where('env', '=', 'sandbox');
  if (playerId !== undefined) deletion = deletion.where('player_id', '=', playerId);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  return Number(numDeletedRows);
}
