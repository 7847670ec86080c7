import { sql } from 'kysely';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { BoardRow } from './board-settings.ts';
import type { Entry } from './entries.queries.ts';
import type { RankingRules } from './ranking.ts';

/** The prefix for the names of rankings that are being made to replace others. */
export const making = '+';

export async function findBoardById(db: Db, id: BoardId): Promise<BoardRow | undefined> {
  return db.selectFrom('boards').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns whether the board has more than `limit` submissions. */
export async function hasMoreThan(tx: Tx, boardId: BoardId, limit: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('submissions')
    .select('id')
    .where('board_id', '=', boardId)
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets the rules that the board's rankings follow until they are made again; null for the declared rules. */
export async function setRankedAs(tx: Tx, boardId: BoardId, rules: RankingRules | null): Promise<void> {
  await tx.db
    .updateTable('boards')
    .set({ ranked_as: rules && toJson(rules) })
    .where('id', '=', boardId)
    .execute();
}

/**
 * Records the players whose standing changes on boards that are being ranked again, in
 * the transaction of the change.
 */
export async function noteChanges(
  tx: Tx,
  changes: readonly { readonly board: Pick<BoardRow, 'id' | 'ranked_as'>; readonly playerId: PlayerId }[],
): Promise<void> {
  const rows = changes.flatMap(({ board, playerId }) =>
    board.ranked_as === null ? [] : [{ board_id: board.id, player_id: playerId }],
  );
  if (rows.length > 0) await tx.db.insertInto('rerank_changes').values(rows).execute();
}

/** Returns the oldest recorded changes of a board. */
export async function findChanges(
  db: Db,
  boardId: BoardId,
  limit: number,
): Promise<{ id: number; player_id: PlayerId }[]> {
  return db
    .selectFrom('rerank_changes')
    .select(['id', 'player_id'])
    .where('board_id', '=', boardId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes only changes that were read: an open transaction may still write one with a lower id. */
export async function deleteChanges(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('rerank_changes').where('id', 'in', ids).execute();
}

export async function deleteAllChanges(tx: Tx, boardId: BoardId): Promise<void> {
  await tx.db.deleteFrom('rerank_changes').where('board_id', '=', boardId).execute();
}

/** Returns the entries of a player in those rankings of a board that are being made. */
export async function findMadeEntries(
  tx: Tx,
  boardId: BoardId,
  playerId: PlayerId,
): Promise<(Entry & { readonly window: string })[]> {
  const rows = await tx.db
    .selectFrom('rankings as ranking')
    .innerJoin('entries as entry', 'entry.ranking_id', 'ranking.id')
    .select(['ranking.window', 'entry.ranking_id', 'entry.sort_key', 'entry.submission_id'])
    .where('ranking.board_id', '=', boardId)
    .where('entry.player_id', '=', playerId)
    .where(sql<boolean>`substr("ranking"."window", 1, 1) = ${making}`)
    .execute();
  return rows.map(({ window, ranking_id, sort_key, submission_id }) => ({
    window,
    rankingId: ranking_id,
    playerId,
    place: { sortKey: sort_key, submissionId: submission_id },
  }));
}

/** Renames the shown or the newly made rankings of a board, so that readers do not see them. */
export async function putAside(tx: Tx, boardId: BoardId, which: 'shown' | 'made'): Promise<void> {
  const begins = which === 'made' ? sql`= ${making}` : sql`not in ('+', '-')`;
  await sql`update rankings set "window" = '-' || cast(id as text)
    where board_id = ${boardId} and substr("window", 1, 1) ${begins}`.execute(tx.db);
}

/** Renames the newly made rankings of a board, so that readers see them. */
export async function showMade(tx: Tx, boardId: BoardId): Promise<void> {
  await sql`update rankings set "window" = substr("window", 2)
    where board_id = ${boardId} and substr("window", 1, 1) = ${making}`.execute(tx.db);
}

export async function findAside(db: Db, boardId: BoardId): Promise<number[]> {
  const rows = await db
    .selectFrom('rankings')
    .select('id')
    .where('board_id', '=', boardId)
    .where(sql<boolean>`substr("window", 1, 1) = '-'`)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteRanking(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('rankings').where('id', '=', id).execute();
}
