import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf, mostRoom } from '../platform/db/lists.ts';
import { type Given, prepared, preparedRead } from '../platform/db/prepared.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { BoardRow } from './board-settings.ts';
import type { PageAsked } from './ranked-page.queries.ts';
import { groupLevel } from './runs.ts';
import { rankOf, withRuns } from './segments.queries.ts';

/** Returns a board by its key. Look-ups that come together share one statement. */
export async function findBoard(
  db: Db,
  spaceId: SpaceId,
  env: Env,
  key: string,
): Promise<BoardRow | undefined> {
  return findByName(db, nameOf({ space_id: spaceId, env, key }));
}

const findByName = gathered(async (db: Db, names: readonly string[]) => {
  const boards = await findNamed(db, { names: listOf(names.map((name) => name.split(' '))) });
  return new Map(boards.map((board) => [nameOf(board), board]));
});

/** Returns the parts joined with spaces. No part contains a space. */
function nameOf({ space_id, env, key }: Pick<BoardRow, 'space_id' | 'env' | 'key'>): string {
  return `${space_id} ${env} ${key}`;
}

const findNamed = prepared((db, { names }: Given<{ names: List<Cells> }>) =>
  db
    .selectFrom('boards')
    .selectAll('boards')
    .innerJoin(sql<{ c0: SpaceId; c1: Env; c2: string }>`${rowsOfList(db, names, 3)}`.as('named'), (join) =>
      join
        .onRef('named.c0', '=', 'boards.space_id')
        .onRef('named.c1', '=', 'boards.env')
        .onRef('named.c2', '=', 'boards.key'),
    ),
);

/** A player's standing in a ranking. */
export interface Standing {
  readonly sort_key: number;
  readonly rank: number;
  readonly total: number;
}

/**
 * Returns a player's standing in a ranking; undefined if the player is not in it. Standings that are asked for together
 * share one statement.
 */
export async function findStanding(
  db: Db,
  playerId: PlayerId,
  { boardId, window }: Omit<PageAsked, 'limit'>,
): Promise<Standing | undefined> {
  // No part contains a space.
  return findByPlayer(db, `${playerId} ${boardId} ${window}`);
}

const findByPlayer = gathered(async (db: Db, names: readonly string[]) => {
  const standings = await findStandings(db, { asked: listOf(names.map((name) => name.split(' '))) });
  return new Map(standings.map((standing): [string, Standing] => [standing.name, standing]));
}, mostRoom);

const findStandings = preparedRead(
  (db, { asked }: Given<{ asked: List<Cells> }>) => sql<Standing & { name: string }>`
    with own as materialized (
        select c0 || ' ' || c1 || ' ' || c2 as name, entry.ranking_id, entry.sort_key, entry.submission_id
        from ${rowsOfList(db, asked, 3)} as asked
          inner join rankings as ranking on ranking.board_id = asked.c1 and ranking."window" = asked.c2
          inner join entries as entry on entry.ranking_id = ranking.id and entry.player_id = asked.c0),
      p as materialized (
        ${withRuns(db, sql`name, ranking_id, sort_key, submission_id`, sql`own`)})
    select name, sort_key, ${rankOf} as rank,
      (select sum(n) from ranking_segments
        where ranking_id = p.ranking_id and level = ${sql.lit(groupLevel)}) as total
    from p`,
);

const findTotal = preparedRead(
  (_db, { boardId, window }: Given<Omit<PageAsked, 'limit'>>) => sql<{ total: number | null }>`
    select sum(n) as total from ranking_segments where level = ${sql.lit(groupLevel)}
      and ranking_id = (select id from rankings where board_id = ${boardId} and "window" = ${window})`,
);

/** Returns how many entries a ranking has; 0 if it does not exist. */
export async function countRanking(db: Db, ranking: Omit<PageAsked, 'limit'>): Promise<number> {
  const [found] = await findTotal(db, ranking);
  return found?.total ?? 0;
}
