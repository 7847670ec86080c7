import { sql } from 'kysely';
import type { BoardSettings } from '../../packages/server/src/boards/board-settings.ts';
import { completeBoard } from '../../packages/server/src/boards/board-settings.ts';
import { rebuildBoard } from '../../packages/server/src/boards/rebuild.ts';
import { groupLevel, segmentLevel } from '../../packages/server/src/boards/runs.ts';
import { emptyRuns, segmentsInGroup } from '../../packages/server/src/boards/segments.ts';
import type { Platform } from '../../packages/server/src/platform/context.ts';
import { rowsOf } from '../../packages/server/src/platform/db/dialect.ts';
import {
  type BoardId,
  givenId,
  type PlayerId,
  type SpaceId,
} from '../../packages/server/src/platform/db/ids.ts';
import { newId } from '../../packages/server/src/platform/secrets/id.ts';
import { hashSecret, issueSecret } from '../../packages/server/src/platform/secrets/secret.ts';
import { createSpace } from '../../packages/server/src/spaces/spaces.ts';

const batchRows = 20_000;

/** A listed space of an account, with its board secret. */
export interface SeededSpace {
  readonly spaceId: SpaceId;
  readonly slug: string;
  readonly secret: string;
}

export async function seedSpace({ database, clock }: Platform, handle: string): Promise<SeededSpace> {
  const owner = await database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const secret = issueSecret('secret');
  const fields = { title: 'Bench', space_type: 'game' as const, devices: ['desktop' as const] };
  return database.transaction(async (tx) => {
    const kind = {
      owner_id: owner.id,
      hosted: 0 as const,
      claimed: 1 as const,
      url: 'https://bench.example/',
    };
    const space = await createSpace(tx, fields, kind);
    await tx.db
      .insertInto('board_secrets')
      .values({ space_id: space.id, hash: hashSecret(secret), created_at: clock.now(), rotated_at: null })
      .execute();
    return { spaceId: space.id, slug: space.slug, secret };
  });
}

/** Makes a live board with the contract's defaults, except for the given fields. @returns its id */
export async function seedBoard(
  { database, clock }: Platform,
  spaceId: SpaceId,
  key: string,
  settings: Partial<BoardSettings> = {},
): Promise<BoardId> {
  const id = newId('brd');
  const now = clock.now();
  const row = { id, space_id: spaceId, env: 'live' as const, created_at: now, updated_at: now };
  await database.db
    .insertInto('boards')
    .values({ ...row, ...completeBoard({ key }, 'api'), ...settings })
    .execute();
  return id;
}

/** Returns the handle of a seeded player. Players are numbered from 0. */
export const playerHandle = (number: number): string => `p${String(number).padStart(9, '0')}`;
export const playerId = (number: number): PlayerId => givenId('usr', `cre_${playerHandle(number)}`);

/** Makes accounts for players with these numbers. */
export async function seedPlayers({ database, clock }: Platform, numbers: readonly number[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (let first = 0; first < numbers.length; first += batchRows) {
      const rows = numbers
        .slice(first, first + batchRows)
        .map((number) => [playerId(number), playerHandle(number)]);
      await sql`
        insert into creators (id, handle, name, email, operator, created_at)
        select c0, c1, c1, c1 || '@example.org', 0, cast(${clock.now()} as bigint)
        from ${rowsOf(tx.db, rows, 2)} as given`.execute(tx.db);
    }
  });
}

/** Makes one submission for each of the first `count` players, with unsorted scores. */
export async function seedSubmissions(
  { database, clock }: Platform,
  boardId: BoardId,
  count: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let first = 0; first < count; first += batchRows) {
      const rows = Array.from({ length: Math.min(batchRows, count - first) }, (_, index) => [
        playerId(first + index),
        Math.floor(Math.random() * 1e9),
      ]);
      await sql`
        insert into submissions (board_id, player_id, score, created_at)
        select ${boardId}, c0, cast(c1 as double precision), cast(${clock.now()} as bigint)
        from ${rowsOf(tx.db, rows, 2)} as given`.execute(tx.db);
      // The same row that a player's first post to a board writes.
      await sql`
        insert into board_players (player_id, board_id)
        select c0, ${boardId} from ${rowsOf(tx.db, rows, 2)} as given
        where true on conflict do nothing`.execute(tx.db);
    }
  });
}

/** Makes a board's entries from its submissions, as a change of its rules does. */
export async function rankAnew({ database, config }: Platform, boardId: BoardId): Promise<void> {
  const board = await database.db
    .selectFrom('boards')
    .selectAll()
    .where('id', '=', boardId)
    .executeTakeFirstOrThrow();
  await database.transaction((tx) => rebuildBoard(tx, board, config.RANK_SEGMENT_SIZE));
}

/**
 * Makes entries of the first `count` players in a board's ranking of all time, without submissions. They are
 * written directly into SQLite's table, and the index is made afterwards. `scores` is the number of different
 * scores.
 * @returns the ranking's id
 */
export async function seedEntries(
  { database: { db }, config }: Platform,
  boardId: BoardId,
  count: number,
  scores = 1e9,
): Promise<number> {
  const size = config.RANK_SEGMENT_SIZE;
  const { id } = await db
    .insertInto('rankings')
    .values({ board_id: boardId, window: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`drop index entries_rank`.execute(db);
  await sql`
    insert into entries (ranking_id, player_id, sort_key, submission_id)
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
    select ${id}, printf('cre_p%09d', n), -(abs(random()) % ${scores}), n + 1 from numbers`.execute(db);
  await sql`create index entries_rank on entries (ranking_id, sort_key, submission_id)`.execute(db);
  for (const [level, run] of [
    [segmentLevel, size],
    [groupLevel, size * segmentsInGroup(size)],
  ] as const)
    await sql`
      insert into ranking_segments (ranking_id, level, low_key, low_id, n)
      select ${id}, ${level},
        case when place = 1 then ${emptyRuns(id)[0]?.low_key ?? 0} else sort_key end,
        case when place = 1 then 0 else submission_id end, min(${run}, ${count} - place + 1)
      from (
        select sort_key, submission_id, row_number() over (order by sort_key, submission_id) as place
        from entries where ranking_id = ${id})
      where (place - 1) % ${run} = 0`.execute(db);
  return id;
}
