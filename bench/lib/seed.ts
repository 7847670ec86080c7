import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Platform } from '../../packages/server/src/platform/context.ts';
import { rowsOf } from '../../packages/server/src/platform/db/dialect.ts';

const batchRows = 20_000;
const sampled = 1_000;
const fileBytes = 1_000;

/**
 * Writes the rows of an account's uploaded files, without their bytes. The rows are sorted by hash, which
 * fills the tables' indexes from left to right and is many times faster than the order of uploads.
 * @returns at most 1,000 of the hashes, spread over the tables
 */
export async function seedBlobs(
  { database, clock }: Platform,
  handle: string,
  count: number,
): Promise<string[]> {
  const account = await database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const now = clock.now();
  const hashes = Array.from({ length: count }, () => randomBytes(32).toString('hex')).sort();
  await database.transaction(async (tx) => {
    for (let first = 0; first < count; first += batchRows) {
      const rows = hashes.slice(first, first + batchRows).map((hash) => [hash]);
      const given = rowsOf(tx.db, rows, 1);
      await sql`
        insert into blobs (hash, key, size, public, shared_memory, packed, created_at)
        select c0, c0 || '-00000000', ${fileBytes}, 0, 0, 1, ${now} from ${given} as given`.execute(tx.db);
      await sql`
        insert into blob_uploads (principal, hash)
        select ${account.id}, c0 from ${given} as given`.execute(tx.db);
    }
    await sql`
      insert into stored_bytes (principal, bytes) values (${account.id}, ${count * fileBytes})
      on conflict (principal) do update set bytes = stored_bytes.bytes + excluded.bytes`.execute(tx.db);
  });
  // PostgreSQL's autovacuum does this after many inserts.
  if (database.engine === 'postgres') await sql`analyze`.execute(database.db);
  const every = Math.ceil(count / sampled);
  return hashes.filter((_, index) => index % every === 0);
}
