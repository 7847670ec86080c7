import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Platform } from '../../packages/server/src/platform/context.ts';
import { rowsOf } from '../../packages/server/src/platform/db/dialect.ts';

const batchRows = 10_000;

/**
 * Writes rows of files that an account has uploaded, as uploads do, without their bytes.
 * @returns the hashes of the last of them, at most 1,000
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
  let last: string[] = [];
  for (let written = 0; written < count; written += batchRows) {
    const hashes = Array.from({ length: Math.min(batchRows, count - written) }, () =>
      randomBytes(32).toString('hex'),
    );
    last = hashes.slice(-1_000);
    await database.transaction(async (tx) => {
      const given = rowsOf(
        tx,
        hashes.map((hash) => [hash]),
        1,
      );
      await sql`
        insert into blobs (hash, key, size, public, shared_memory, packed, created_at)
        select c0, c0 || '-00000000', 1000, 0, 0, 1, ${clock.now()} from ${given} as given`.execute(tx);
      await sql`
        insert into blob_uploads (principal, hash)
        select ${account.id}, c0 from ${given} as given`.execute(tx);
    });
  }
  return last;
}
