import type { Kysely } from 'kysely';
import { renewTokenBlocks } from '../dialect.ts';

/** Makes the service write the index of tokens anew on PostgreSQL (search/fill.ts), with blocks of several sizes. */
export async function up(db: Kysely<never>): Promise<void> {
  await renewTokenBlocks(db);
}
