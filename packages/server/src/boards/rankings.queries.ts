import { sql } from 'kysely';
import { oneOfList, rowsOf } from '../platform/db/dialect.ts';
import type { BoardId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { insertRuns } from './runs.queries.ts';
import { emptyRuns } from './segments.ts';

/** Names the ranking of a board in one window. */
export interface RankingName {
  readonly boardId: BoardId;
  readonly window: string;
}

export interface Ranking extends RankingName {
  readonly id: number;
}

/** Returns those rankings of these boards in these windows that exist. */
export async function findRankings(
  db: Db,
  boardIds: readonly BoardId[],
  windows: readonly string[],
): Promise<Ranking[]> {
  const rows = await findAmong(db, { boardIds: listOf(boardIds), windows: listOf(windows) });
  return rows.map(({ id, board_id, window }) => ({ id, boardId: board_id, window }));
}

const findAmong = prepared(
  (db, { boardIds, windows }: Given<{ boardIds: List<BoardId>; windows: List<string> }>) =>
    db
      .selectFrom('rankings')
      .selectAll()
      .where('board_id', 'in', oneOfList(db, boardIds))
      .where('window', 'in', oneOfList(db, windows)),
);

/** Makes these rankings, which must not exist yet, without entries. Returns them with their ids. */
async function makeRankings(tx: Tx, names: readonly RankingName[]): Promise<Ranking[]> {
  if (names.length === 0) return [];
  const given = rowsOf(
    tx.db,
    names.map(({ boardId, window }) => [boardId, window]),
    2,
  );
  const { rows } = await sql<{ id: number; board_id: BoardId; window: string }>`
    insert into rankings (board_id, "window") select c0, c1 from ${given} as given where true
    returning id, board_id, "window"`.execute(tx.db);
  await insertRuns(
    tx,
    rows.flatMap(({ id }) => emptyRuns(id)),
  );
  return rows.map(({ id, board_id, window }) => ({ id, boardId: board_id, window }));
}

/** Returns these rankings. Missing ones are made. */
export async function takeRankings(tx: Tx, names: readonly RankingName[]): Promise<Ranking[]> {
  const unique = [...new Map(names.map((name) => [nameKey(name), name])).values()];
  const found = await findRankings(
    tx.db,
    [...new Set(unique.map(({ boardId }) => boardId))],
    [...new Set(unique.map(({ window }) => window))],
  );
  const known = new Set(found.map(nameKey));
  return [
    ...found,
    ...(await makeRankings(
      tx,
      unique.filter((name) => !known.has(nameKey(name))),
    )),
  ];
}

export function nameKey({ boardId, window }: RankingName): string {
  return `${boardId} ${window}`;
}

/** Returns the ids of all rankings of a board, including those that are being made or deleted. */
export async function findRankingIds({ db }: { readonly db: Db }, boardId: BoardId): Promise<number[]> {
  const rows = await db.selectFrom('rankings').select('id').where('board_id', '=', boardId).execute();
  return rows.map(({ id }) => id);
}

export async function deleteRankings(tx: Tx, boardId: BoardId): Promise<void> {
  await tx.db.deleteFrom('rankings').where('board_id', '=', boardId).execute();
}
