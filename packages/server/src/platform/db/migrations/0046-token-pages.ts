import type { Kysely } from 'kysely';
import { emptyTokenIndex } from '../dialect.ts';

/**
 * Makes the pages of SQLite's index of tokens small. The service then writes the index (search/fill.ts): into an empty
 * one, because replacing a row's tokens takes four times as long as adding them.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await emptyTokenIndex(db);
}
