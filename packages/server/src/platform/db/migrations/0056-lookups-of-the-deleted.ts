import { type Kysely, sql } from 'kysely';

/**
 * Indexes for what is deleted with a space, a version or an account. Without them all jobs and logins were read for each:
 * both engines look for rows that name a deleted one.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.createIndex('jobs_ref').on('jobs').column('ref').execute();
  // Few logins and codes name one.
  for (const [table, column] of [
    ['device_logins', 'creator_id'],
    ['device_logins', 'space_id'],
    ['oauth_codes', 'space_id'],
  ] as const) {
    const [name, of, by] = [sql.ref(`${table}_${column}`), sql.ref(table), sql.ref(column)];
    await sql`create index ${name} on ${of} (${by}) where ${by} is not null`.execute(db);
  }
}
