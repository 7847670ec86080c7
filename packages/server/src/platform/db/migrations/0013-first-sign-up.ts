import { type Kysely, sql } from 'kysely';

/**
 * If there are accounts already, the next sign-up is not the first one: nobody becomes operator by an update.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`insert into settings (name, value)
    select 'first_sign_up', 'before' where exists (select 1 from creators)`.execute(db);
}
