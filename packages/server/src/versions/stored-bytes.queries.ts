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
 * Replaces the row by what the files add up to, which may be less after an upgrade. Returns that sum. Others of
 * the same principal wait for the row until the transaction ends.
 */
export async function recountStoredBytes(tx: Tx, principal: Principal): Promise<number> {
  const row = tx.db.updateTable('stored_bytes').where('principal', '=', principal);
  // This locks the row, so that no file is added between the count and the write.
  await row.set(({ ref }) => ({ bytes: ref('bytes') })).execute();
  const bytes = await countStoredBytes(tx.db, principal);
  await row.set({ bytes }).execute();
  return bytes;
}

/**
 * Adds the sizes of files to what their principals have stored, or takes them off if they are negative. Call
 * it last in a transaction, in which others of the same principal wait for its row. Returns the new sums of
 * these principals.
 */
export async function addStoredBytes(
  tx: Tx,
  files: readonly (readonly [principal: Principal, bytes: number])[],
): Promise<ReadonlyMap<Principal, number>> {
  const added = new Map<Principal, number>();
  for (const [principal, bytes] of files) added.set(principal, (added.get(principal) ?? 0) + bytes);
  if (added.size === 0) return added;
  // Sorted, so that two transactions lock the rows in the same order.
  const rows = [...added].sort(([left], [right]) => (left < right ? -1 : 1));
  const sums = await addRows(tx.db, { rows: listOf(rows) });
  return new Map(sums.map(({ principal, bytes }) => [principal, Number(bytes)]));
}

const addRows = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ principal: Principal; bytes: number }>`
    insert into stored_bytes (principal, bytes)
    select c0, cast(c1 as bigint) from ${rowsOfList(db, rows, ['text', 'bigint'])} as given
    where true on conflict (principal) do update set bytes = stored_bytes.bytes + excluded.bytes
    returning principal, bytes`,
);
