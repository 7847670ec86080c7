import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import type { Principal } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the bytes of the distinct stored files that a principal has uploaded, from one row. */
export async function readStoredBytes(db: Db, principal: Principal): Promise<number> {
  const [row] = await findStoredBytes(db, { principal });
  return row?.bytes ?? 0;
}

const findStoredBytes = prepared((db, { principal }: Given<{ principal: Principal }>) =>
  db.selectFrom('stored_bytes').select('bytes').where('principal', '=', principal),
);

/** Adds up the same bytes file by file, which takes a second for a million files. */
export async function countStoredBytes(db: Db, principal: Principal): Promise<number> {
  const row = await db
    .selectFrom('blob_uploads as upload')
    .innerJoin('blobs as blob', 'blob.hash', 'upload.hash')
    .select(sql<number | string | null>`sum(blob.size)`.as('bytes'))
    .where('upload.principal', '=', principal)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/**
 * Adds the sizes of files to what their principals have stored, or takes them off if they are negative. Call
 * it last in a transaction, in which others of the same principal wait for its row.
 */
export async function addStoredBytes(
  tx: Tx,
  files: readonly (readonly [principal: Principal, bytes: number])[],
): Promise<void> {
  const sums = new Map<Principal, number>();
  for (const [principal, bytes] of files) sums.set(principal, (sums.get(principal) ?? 0) + bytes);
  if (sums.size === 0) return;
  // Sorted, so that two transactions lock the rows in the same order.
  const rows = [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
  await addRows(tx.db, { rows: listOf(rows) });
}

const addRows = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql`
    insert into stored_bytes (principal, bytes)
    select c0, cast(c1 as bigint) from ${rowsOfList(db, rows, ['text', 'bigint'])} as given
    where true on conflict (principal) do update set bytes = stored_bytes.bytes + excluded.bytes`,
);
