import { type Kysely, sql } from 'kysely';

/** Where accounts are there already, whoever signs up next is not the first: nobody becomes operator by an update. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`insert into settings (name, value)
    select 'first_sign_up', 'before' where exists (select 1 from creators)`.execute(db);
}
