import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { rowPlaces, rowsOf } from '../platform/db/dialect.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The tables of what players have: the values of stats, and the unlocks of achievements. */
export type EarnedTable = 'player_stats' | 'unlocks';

/** Names a stat or an achievement of a space. */
export interface Named {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly key: string;
}

/** Returns whether more than `limit` players have it. */
export async function hasMoreEarned(
  tx: Tx,
  table: EarnedTable,
  { spaceId, env, key }: Named,
  limit: number,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom(table)
    .select('player_id')
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .offset(limit)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts up to `limit` players behind one who have it. Returns the last of them, too; null if there is none. */
export async function countEarned(
  db: Db,
  table: EarnedTable,
  { spaceId, env, key }: Named,
  { after, limit }: { after: PlayerId; limit: number },
): Promise<{ count: number; last: PlayerId | null }> {
  const { count, last } = await db
    .selectFrom(
      db
        .selectFrom(table)
        .select('player_id')
        .where('space_id', '=', spaceId)
        .where('env', '=', env)
        .where('key', '=', key)
        .where('player_id', '>', after)
        .orderBy('player_id')
        .limit(limit)
        .as('piece'),
    )
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.max<PlayerId | null>('player_id').as('last'),
    ])
    .executeTakeFirstOrThrow();
  return { count: Number(count), last };
}

/** Deletes what up to `limit` players have of it. Returns how many they were. The caller holds `lockProgress`. */
export async function deleteEarned(
  tx: Tx,
  table: EarnedTable,
  { spaceId, env, key }: Named,
  limit: number,
): Promise<number> {
  const { name, isOneOf } = rowPlaces(tx.db);
  const places = sql`
    select ${name} from ${sql.table(table)}
    where space_id = ${spaceId} and env = ${env} and key = ${key} limit ${sql.lit(limit)}`;
  const piece = sql`delete from ${sql.table(table)} where ${isOneOf(places)}`;
  const { numAffectedRows = 0n } = await piece.execute(tx.db);
  return Number(numAffectedRows);
}

/** Returns the keys among these of which a player has something. */
export async function findEarnedAmong(
  tx: Tx,
  table: EarnedTable,
  { spaceId, env }: Omit<Named, 'key'>,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const given = rowsOf(
    tx.db,
    keys.map((key) => [key]),
    1,
  );
  const { rows } = await sql<{ key: string }>`
    select given.c0 as key from ${given} as given
    where (
      select 1 from ${sql.table(table)} as earned
      where earned.space_id = ${spaceId} and earned.env = ${env} and earned.key = given.c0
      order by earned.player_id limit 1) = 1`.execute(tx.db);
  return rows.map(({ key }) => key);
}

/**
 * Deletes what guests have of a stat or an achievement, live and in the sandbox, in pieces: there may be a million of
 * them.
 */
export async function deleteOfGuests(
  { db }: { readonly db: Db },
  table: 'guest_stats' | 'guest_unlocks',
  { spaceId, key }: Omit<Named, 'env'>,
): Promise<void> {
  for (const env of ['live', 'sandbox'] as const)
    await deleteInPieces(db, table, sql`space_id = ${spaceId} and env = ${env} and key = ${key}`);
}
