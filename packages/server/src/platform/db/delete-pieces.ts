import { type RawBuilder, sql } from 'kysely';
import { rowPlaces } from './dialect.ts';
import type { Db, Schema } from './schema.ts';

/** Tables of which many rows end at once. */
type SweptTable = keyof Pick<
  Schema,
  | 'audit_log'
  | 'auth_sessions'
  | 'ended_labels'
  | 'idempotent_answers'
  | 'play_counts'
  | 'preview_links'
  | 'rate_hits'
  | 'review_links'
  | 'save_losers'
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
