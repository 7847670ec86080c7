import type { Kysely } from 'kysely';
import { createHashIndex } from '../dialect.ts';

/** Makes look-ups of many files among a million cheaper (`blobsWith`). */
export async function up(db: Kysely<never>): Promise<void> {
  await createHashIndex(db);
}
