import { type Selectable, sql } from 'kysely';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import type { BoardsTable, Db } from '../platform/db/schema.ts';
import { isShown } from './entries.queries.ts';
import type { PlayerRange } from './rebuild.queries.ts';
import type { SegmentRow } from './runs.queries.ts';

export type SpaceBoard = Selectable<BoardsTable> & { readonly slug: string };

/** Returns the boards of a space, or of all spaces, live and in the sandbox. */
export async function listBoards(db: Db, slug: string | undefined): Promise<SpaceBoard[]> {
  const query = db
    .selectFrom('boards')
    .innerJoin('spaces as space', 'space.id', 'boards.space_id')
    .selectAll('boards')
    .select('space.slug')
    .where('boards.env', '!=', 'dropped')
    .orderBy('space.slug')
    .orderBy('boards.key')
    .orderBy('boards.env');
  return (slug === undefined ? query : query.where('space.slug', '=', slug)).execute();
}

export interface FoundEntry {
  readonly window: string;
  readonly player_id: PlayerId;
  readonly sort_key: number;
  readonly submission_id: number;
}

/** Returns the entries of a range of players in every ranking of a board. */
export async function listEntries(
  db: Db,
  boardId: BoardId,
  { after, upTo }: PlayerRange,
): Promise<FoundEntry[]> {
  const query = db
    .selectFrom('rankings as ranking')
    .innerJoin('entries as entry', 'entry.ranking_id', 'ranking.id')
    .select(['ranking.window', 'entry.player_id', 'entry.sort_key', 'entry.submission_id'])
    .where('ranking.board_id', '=', boardId)
    .where(isShown('ranking.window'))
    .where('entry.player_id', '>', after);
  return (upTo === null ? query : query.where('entry.player_id', '<=', upTo)).execute();
}

export async function listRankings(db: Db, boardId: BoardId): Promise<{ id: number; window: string }[]> {
  return db
    .selectFrom('rankings')
    .select(['id', 'window'])
    .where('board_id', '=', boardId)
    .where(isShown('window'))
    .orderBy('window')
    .execute();
}

/** Returns the runs of a level in order, each with its stored count (`n`) and the real one (`found`). */
export async function countRuns(
  db: Db,
  rankingId: number,
  level: number,
): Promise<(SegmentRow & { readonly found: number })[]> {
  const next = (column: 'low_key' | 'low_id') =>
    sql`lead(${sql.ref(column)}) over (order by low_key, low_id)`;
  return db
    .with('runs', (query) =>
      query
        .selectFrom('ranking_segments')
        .selectAll()
        .select([next('low_key').as('next_key'), next('low_id').as('next_id')])
        .where('ranking_id', '=', rankingId)
        .where('level', '=', level),
    )
    .selectFrom('runs')
    .select(['ranking_id', 'level', 'low_key', 'low_id', 'n'])
    .select(
      sql<number>`case when next_id is null
        then (select count(*) from entries where entries.ranking_id = runs.ranking_id
          and (sort_key, submission_id) >= (+runs.low_key, +runs.low_id))
        else (select count(*) from entries where entries.ranking_id = runs.ranking_id
          and (sort_key, submission_id) >= (+runs.low_key, +runs.low_id)
          and (sort_key, submission_id) < (+runs.next_key, +runs.next_id)) end`.as('found'),
    )
    .orderBy('low_key')
    .orderBy('low_id')
    .execute();
}
