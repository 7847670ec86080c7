import { type Selectable, sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { LostSaveId, PlayerId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedForEach } from '../platform/db/prepared.ts';
import type { Db, SaveLosersTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Loser } from './save-rules.ts';
import { asTable, ownerRows, type SaveOwner } from './saves.queries.ts';

export type LoserRow = Selectable<SaveLosersTable>;

export interface OwnedLoser extends Loser, SaveOwner {
  readonly bytes: number;
}

/** Returns the losers of these players. Those of one player are ordered newest first. */
export async function findLosers(tx: Tx, owners: readonly SaveOwner[]): Promise<OwnedLoser[]> {
  return losersOf(tx.db, { rows: listOf(ownerRows(owners)) });
}

// The rows of one owner stay in order, even if many owners are sent in pieces.
const losersOf = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<OwnedLoser>`
    with ${asTable(db, rows)}
    select t.id, t.player_id as "playerId", t.space_id as "spaceId", t.env, t.slot, t.lost_to as "lostTo", t.digest, t.bytes
    from p cross join save_losers as t
    where t.player_id = p.player and t.space_id = p.space and t.env = p.env
    order by t.lost_at desc, t.id desc`,
);

export async function insertLoser(tx: Tx, row: LoserRow): Promise<void> {
  await tx.db.insertInto('save_losers').values(row).execute();
}

/** Records that these losers lost again, to another version. The time for which they are kept starts over. */
export async function loseAgain(tx: Tx, ids: readonly LostSaveId[], lostTo: number): Promise<void> {
  await tx.db
    .updateTable('save_losers')
    .set({ lost_to: lostTo, lost_at: tx.now })
    .where('id', 'in', oneOf(tx.db, ids))
    .execute();
}

export async function deleteLosers(tx: Tx, ids: readonly LostSaveId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db.deleteFrom('save_losers').where('id', 'in', oneOf(tx.db, ids)).execute();
}

/** Returns one of a player's losers, by its id. */
export async function findLoser(db: Db, playerId: PlayerId, id: LostSaveId): Promise<LoserRow | undefined> {
  return db
    .selectFrom('save_losers')
    .selectAll()
    .where('id', '=', id)
    .where('player_id', '=', playerId)
    .executeTakeFirst();
}

/** Gives all losers of a player to another player. */
export async function moveLosers(tx: Tx, fromPlayerId: PlayerId, toPlayerId: PlayerId): Promise<void> {
  await tx.db
    .updateTable('save_losers')
    .set({ player_id: toPlayerId })
    .where('player_id', '=', fromPlayerId)
    .execute();
}

export async function deleteLostBefore(db: Db, before: number): Promise<void> {
  await deleteInPieces(db, 'save_losers', sql`lost_at < ${before}`);
}
