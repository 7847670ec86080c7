import { type RawBuilder, sql } from 'kysely';
import { rowPlaces } from './dialect.ts';
import type { Db, Schema } from './schema.ts';

/** Tables of which many rows end at once. */
type SweptTable = keyof Pick<
  Schema,
  | 'account_plays'
  | 'audit_log'
  | 'auth_sessions'
  | 'auth_verifications'
  | 'content'
  | 'create_keys'
  | 'device_logins'
  | 'ended_labels'
  | 'error_groups'
  | 'error_versions'
  | 'guest_scores'
  | 'guest_stats'
  | 'guest_unlocks'
  | 'idempotent_answers'
  | 'oauth_clients'
  | 'oauth_codes'
  | 'play_counts'
  | 'player_stats'
  | 'preview_links'
  | 'rate_hits'
  | 'review_links'
  | 'save_counters'
  | 'save_losers'
  | 'saves'
  | 'unlocks'
  | 'used_runs'
  | 'webhook_deliveries'
>;

/** In a large database SQLite takes a tenth of a second for as many, if their pages are not in memory. */
const rowsInPiece = 500;

/**
 * Deletes the rows that a condition is true for, in many short statements. One statement for all would stop every
 * request on SQLite, and be ended by PostgreSQL's time limit: then the rows would stay for ever.
 */
export async function deleteInPieces(
  db: Db,
  table: SweptTable,
  condition: RawBuilder<unknown>,
): Promise<void> {
  for (;;) {
    const places = sql`select ${rowPlaces(db).name} from ${sql.table(table)} where ${condition} limit ${sql.lit(rowsInPiece)}`;
    const piece = sql`delete from ${sql.table(table)} where ${rowPlaces(db).isOneOf(places)}`;
    const { numAffectedRows = 0n } = await piece.execute(db);
    if (numAffectedRows < rowsInPiece) return;
  }
}

/**
 * Deletes the rows that a condition is true for, if no index finds them. SQLite reads the table by the places of its
 * rows, a part in each statement: to find the last few rows it would read all of it in one. On PostgreSQL that stops
 * nobody.
 */
export async function deleteUnindexed(
  db: Db,
  table: SweptTable,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const { name, areInOrder } = rowPlaces(db);
  if (!areInOrder) return deleteInPieces(db, table, condition);
  for (let after = 0; ; ) {
    const part = sql`select ${name} as place from ${sql.table(table)} where ${name} > ${after} order by ${name} limit ${sql.lit(rowsInPiece)}`;
    const { rows } = await sql<{
      last: number | null;
    }>`select max(place) as last from (${part}) as part`.execute(db);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    await sql`
      delete from ${sql.table(table)}
      where ${name} > ${after} and ${name} <= ${last} and (${condition})`.execute(db);
    after = last;
  }
}

/** Tables of which rows end that only a look at other tables tells from those that stay. */
type PagedTable = keyof Pick<Schema, 'creators' | 'error_groups'>;

/**
 * Deletes the rows that a condition is true for, if no index finds them. It reads the rows by their id, a page in
 * each statement, and each page once. `among` says which rows come into question; give one that an index knows.
 */
export async function deleteByPages(
  db: Db,
  table: PagedTable,
  { among, condition }: { among: RawBuilder<unknown>; condition: RawBuilder<unknown> },
): Promise<void> {
  for (let after = ''; ; ) {
    const page = sql`select id from ${sql.table(table)} where (${among}) and id > ${after} order by id limit ${sql.lit(rowsInPiece)}`;
    const { rows } = await sql<{ last: string | null; count: number | string }>`
      select max(id) as last, count(*) as count from (${page}) as page`.execute(db);
    const [{ last, count } = { last: null, count: 0 }] = rows;
    if (last === null) return;
    await sql`
      delete from ${sql.table(table)}
      where (${among}) and id > ${after} and id <= ${last} and (${condition})`.execute(db);
    if (Number(count) < rowsInPiece) return;
    after = last;
  }
}
