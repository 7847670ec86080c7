import { type RawBuilder, sql } from 'kysely';
import { rowsOf, rowsOfList } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedForEach } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Place } from './ranking.ts';

/** Names the entry of a player in a ranking. */
export interface EntryName {
  readonly rankingId: number;
  readonly playerId: PlayerId;
}

export interface Entry extends EntryName {
  readonly place: Place;
}

/** Returns the places of these entries, in the order asked; null without an entry. */
export async function findPlaces(tx: Tx, names: readonly EntryName[]): Promise<(Place | null)[]> {
  const places: (Place | null)[] = names.map(() => null);
  if (names.length === 0) return places;
  const rows = names.map(({ rankingId, playerId }, at) => [at, rankingId, playerId]);
  for (const { at, sort_key, submission_id } of await findNamed(tx.db, { rows: listOf(rows) }))
    places[at] = { sortKey: sort_key, submissionId: submission_id };
  return places;
}

const findNamed = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{
    at: number;
    sort_key: number;
    submission_id: number;
  }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking, c2 as player
      from ${rowsOfList(db, rows, ['integer', 'bigint', 'text'])} as given)
    select at, sort_key, submission_id
    from p cross join entries where ranking_id = p.ranking and player_id = p.player`,
);

/**
 * Matches the names of rankings that readers see, and not those of rankings that
 * are being made or were replaced.
 */
export function isShown(window: string): RawBuilder<boolean> {
  return sql<boolean>`substr(${sql.ref(window)}, 1, 1) not in ('+', '-')`;
}

/** Returns every entry of a player on these boards. */
export async function findEntriesOf(
  tx: Tx,
  playerId: PlayerId,
  boardIds: readonly BoardId[],
): Promise<(Entry & { readonly boardId: BoardId; readonly window: string })[]> {
  if (boardIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('rankings as ranking')
    .innerJoin('entries as entry', 'entry.ranking_id', 'ranking.id')
    .select(['ranking.board_id', 'ranking.window', 'entry.ranking_id', 'entry.player_id'])
    .select(['entry.sort_key', 'entry.submission_id'])
    .where('ranking.board_id', 'in', boardIds)
    .where('entry.player_id', '=', playerId)
    .where(isShown('ranking.window'))
    .execute();
  return rows.map((row) => ({ ...toEntry(row), boardId: row.board_id, window: row.window }));
}

/** Writes entries and replaces those of the same players. */
export async function putEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await putRows(
    tx,
    entries.map(({ rankingId, playerId, place }) => [rankingId, playerId, place.sortKey, place.submissionId]),
  );
}

const putRows = preparedInsert(
  'entries',
  { ranking_id: 'bigint', player_id: 'text', sort_key: 'double precision', submission_id: 'bigint' },
  sql`on conflict (ranking_id, player_id)
    do update set sort_key = excluded.sort_key, submission_id = excluded.submission_id`,
);

export async function deleteEntries(tx: Tx, names: readonly EntryName[]): Promise<void> {
  const byPlayer = Map.groupBy(names, ({ playerId }) => playerId);
  for (const [playerId, own] of byPlayer) {
    const given = rowsOf(
      tx.db,
      own.map(({ rankingId }) => [rankingId]),
      1,
    );
    await sql`
      delete from entries where player_id = ${playerId}
        and ranking_id in (select cast(c0 as bigint) from ${given} as given)`.execute(tx.db);
  }
}

/** Returns a page of a player's submissions to a board, oldest first, after the one with the id `after`. */
export async function findSubmissionsOf(
  db: Db,
  { boardId, playerId }: { readonly boardId: BoardId; readonly playerId: PlayerId },
  after: number,
  limit: number,
): Promise<{ id: number; score: number; createdAt: number }[]> {
  const rows = await db
    .selectFrom('submissions')
    .select(['id', 'score', 'created_at'])
    .where('board_id', '=', boardId)
    .where('player_id', '=', playerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, score, created_at }) => ({ id, score, createdAt: created_at }));
}

interface EntryRow {
  ranking_id: number;
  player_id: PlayerId;
  sort_key: number;
  submission_id: number;
}

function toEntry({ ranking_id, player_id, sort_key, submission_id }: EntryRow): Entry {
  return {
    rankingId: ranking_id,
    playerId: player_id,
    place: { sortKey: sort_key, submissionId: submission_id },
  };
}
