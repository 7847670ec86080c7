import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Count } from './tally.ts';

/** Adds counts in one statement. Counts for deleted spaces and versions are left out. */
export async function addCounts(tx: Tx, counts: readonly Count[]): Promise<void> {
  const rows = rowsOf(
    tx.db,
    counts.map(({ spaceId, env, version, day, what, bucket, count }) => [
      ...[spaceId, env, version, day, what, bucket, count],
    ]),
    7,
  );
  await sql`
    insert into play_counts (space_id, env, version, version_id, day, what, bucket, count)
    select c0, c1, cast(c2 as integer), version.id, c3, c4, cast(c5 as integer), cast(c6 as bigint)
    from ${rows} as given
    join spaces as space on space.id = c0
    left join versions as version on version.space_id = c0 and version.number = cast(c2 as integer)
    where cast(c2 as integer) = 0 or version.id is not null
    on conflict (space_id, env, version, day, what, bucket)
    do update set count = play_counts.count + excluded.count`.execute(tx.db);
}

export interface CountedSum {
  readonly version: number;
  readonly what: string;
  readonly bucket: number;
  readonly count: number;
}

/** Returns the sums of a space's counts since a day (`2026-11-21`), by version. */
export async function sumCounts(
  db: Db,
  { spaceId, env, since }: { spaceId: SpaceId; env: Env; since: string },
): Promise<CountedSum[]> {
  return db
    .selectFrom('play_counts')
    .select(({ fn }) => ['version', 'what', 'bucket', fn.sum<number>('count').as('count')])
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('day', '>=', since)
    .groupBy(['version', 'what', 'bucket'])
    .execute();
}

/** Returns the number of live loads of a version. */
export async function countSessions(
  db: Db,
  { spaceId, version }: { spaceId: SpaceId; version: number },
): Promise<number> {
  const row = await db
    .selectFrom('play_counts')
    .select(({ fn }) => fn.sum<number | null>('count').as('count'))
    .where('space_id', '=', spaceId)
    .where('env', '=', 'live')
    .where('version', '=', version)
    .where('what', '=', 'sessions')
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function deleteCountsOfSandbox(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db
    .deleteFrom('play_counts')
    .where('space_id', '=', spaceId)
    .where('env', '=', 'sandbox')
    .execute();
}

export async function deleteCountsBefore(db: Db, day: string): Promise<void> {
  await deleteInPieces(db, 'play_counts', sql`day < ${day}`);
}
