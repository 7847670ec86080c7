import { type Selectable, sql } from 'kysely';
import { rowsOf } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, SpaceDaysTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type StoredDay = Pick<Selectable<SpaceDaysTable>, 'day' | 'plays' | 'scores' | 'players'>;

/** Returns the stored days of a space from `first` to `last` (both `2026-11-21`). */
export async function findDays(
  db: Db,
  spaceId: SpaceId,
  { first, last }: { first: string; last: string },
): Promise<StoredDay[]> {
  return db
    .selectFrom('space_days')
    .select(['day', 'plays', 'scores', 'players'])
    .where('space_id', '=', spaceId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .execute();
}

/** Counts scores on a space's live boards from one instant until before another, and their players. */
export async function countScores(
  db: Db,
  spaceId: SpaceId,
  { from, until }: { from: number; until: number },
): Promise<{ scores: number; players: number }> {
  return db
    .selectFrom('submissions')
    .select(({ fn }) => [
      fn.countAll<number>().as('scores'),
      fn.count<number>('player_id').distinct().as('players'),
    ])
    .where('board_id', 'in', (boards) =>
      boards
        .selectFrom('boards as board')
        .select('board.id')
        .where('board.space_id', '=', spaceId)
        .where('board.env', '=', 'live'),
    )
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .executeTakeFirstOrThrow();
}

/**
 * Stores the counts of days that are over. A second count gives the same result, so a later write may win.
 */
export async function keepCounts(
  tx: Tx,
  spaceId: SpaceId,
  days: readonly { day: string; scores: number; players: number }[],
): Promise<void> {
  const rows = rowsOf(
    tx.db,
    days.map(({ day, scores, players }) => [day, scores, players]),
    3,
  );
  await sql`insert into space_days (space_id, day, scores, players)
    select ${spaceId}, c0, cast(c1 as integer), cast(c2 as integer) from ${rows} as counted where true
    on conflict (space_id, day) do update set scores = excluded.scores, players = excluded.players`.execute(
    tx.db,
  );
}
