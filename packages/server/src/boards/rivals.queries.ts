import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { RankedPlace } from './runs.ts';

/**
 * Finds the player right above each of these places, in one statement. Returns them in the order asked; null
 * for the first place of a ranking.
 */
export async function findRivals(
  tx: Tx,
  places: readonly RankedPlace[],
): Promise<({ handle: string; sortKey: number } | null)[]> {
  if (places.length === 0) return [];
  const rows = await findRows(tx.db, {
    given: listOf(
      places.map(({ rankingId, sortKey, submissionId }, at) => [at, rankingId, sortKey, submissionId]),
    ),
  });
  const rivals: ({ handle: string; sortKey: number } | null)[] = places.map(() => null);
  for (const { at, handle, sort_key } of rows)
    if (handle !== null) rivals[at] = { handle, sortKey: sort_key };
  return rivals;
}

// segments.queries.ts explains the plus signs.
const findRows = prepared(
  (db, { given }: Given<{ given: List<Cells> }>) => sql<{
    at: number;
    handle: string | null;
    sort_key: number;
  }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id,
        cast(c2 as double precision) as sort_key, cast(c3 as bigint) as submission_id
      from ${rowsOfList(db, given, 4)} as given)
    select p.at, player.handle, above.sort_key
    from p cross join entries as above
      inner join creators as player on player.id = above.player_id
    where above.ranking_id = p.ranking_id and above.player_id = (
      select player_id from entries as e
      where e.ranking_id = p.ranking_id and (e.sort_key, e.submission_id) < (+p.sort_key, +p.submission_id)
      order by e.sort_key desc, e.submission_id desc limit 1)`,
);
