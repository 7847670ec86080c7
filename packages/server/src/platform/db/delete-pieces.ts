import { type RawBuilder, sql } from 'kysely';
import { rowPlaces } from './dialect.ts';
import type { Db, Schema } from './schema.ts';

/** Tables of which many rows end at once. */
type SweptTable = keyof Pick<
  Schema,
  | 'account_plays'
  | 'audit_log'
  | 'auth_sessions'
  | 'content'
  | 'ended_labels'
  | 'error_groups'
  | 'error_versions'
  | 'guest_scores'
  | 'guest_stats'
  | 'guest_unlocks'
  | 'idempotent_answers'
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

/** SQLite deletes as many in some milliseconds. */
const rowsInPiece = 2_000;

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
