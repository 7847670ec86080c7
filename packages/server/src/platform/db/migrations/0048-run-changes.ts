import { type Kysely, sql } from 'kysely';
import { onlyOnPostgres } from '../dialect.ts';

/**
 * Counts how often the runs of a ranking are written, so that a node knows whether those in its memory are current.
 * The database counts, because nodes of the version before do not. Meaning: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('rankings')
    .addColumn('run_changes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await onlyOnPostgres(
    db,
    sql`
      create function count_run_changes() returns trigger language plpgsql as $$
      begin
        update rankings set run_changes = run_changes + 1 where id in (select ranking_id from changed);
        return null;
      end $$`,
  );
  for (const [change, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const)
    await onlyOnPostgres(
      db,
      sql`
        create trigger ${sql.ref(`run_changes_${change}`)} after ${sql.raw(change)} on ranking_segments
        referencing ${sql.raw(rows)} table as changed
        for each statement execute function count_run_changes()`,
    );
}
