import { type Kysely, sql } from 'kysely';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { DamagedFilesTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findKnownKeys } from './collector.queries.ts';

/** Where rows name files: by the place of the column in `blobKeyColumns`. */
type AnyTables = Kysely<Record<string, Record<string, string>>>;

/** Keys that one column names, in their order. */
export async function listKeys(db: Db, column: number, after: string, limit: number): Promise<string[]> {
  const [table, name] = blobKeyColumns[column] ?? blobKeyColumns[0];
  // The list of columns is data: which tables they are in is not known to the types.
  const rows = await (db as unknown as AnyTables)
    .selectFrom(table)
    .select(`${name} as named`)
    .where(name, '>', after)
    .orderBy(name)
    .limit(limit)
    .execute();
  return rows.map(({ named }) => String(named));
}

export async function countFiles(db: Db): Promise<number> {
  let count = 0;
  for (const table of blobKeyColumns.map(([name]) => name)) {
    const row = await db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow();
    count += Number(row.count);
  }
  return count;
}

/** From now on a create asks for the file again; nothing if no row names it any more. */
export async function recordDamage(
  db: Db,
  key: string,
  problem: DamagedFilesTable['problem'],
  now: number,
): Promise<boolean> {
  if (!(await findKnownKeys(db, [key])).has(key)) return false;
  await db
    .insertInto('damaged_files')
    .values({ key, problem, found_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ problem }))
    .execute();
  return true;
}

/** Forgets a compressed form: the file is served as it is, and packed again with the next version that has it. */
export async function dropForm(tx: Tx, key: string): Promise<boolean> {
  const form = await tx.db
    .deleteFrom('blob_forms')
    .where('key', '=', key)
    .returning('hash')
    .executeTakeFirst();
  if (!form) return dropDelta(tx, key);
  await tx.db.updateTable('blobs').set({ packed: 0 }).where('hash', '=', form.hash).execute();
  await tx.db.deleteFrom('blob_forms').where('hash', '=', form.hash).execute();
  return true;
}

async function dropDelta(tx: Tx, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db.deleteFrom('blob_deltas').where('key', '=', key).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function clearDamage(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('damaged_files').where('key', 'in', oneOf(db, keys)).execute();
}

/** What is missing or damaged and still named by a row, the longest known first. */
export async function listDamage(db: Db): Promise<DamagedFilesTable[]> {
  const rows = await db.selectFrom('damaged_files').selectAll().orderBy('found_at').orderBy('key').execute();
  const known = await findKnownKeys(
    db,
    rows.map(({ key }) => key),
  );
  return rows.filter(({ key }) => known.has(key));
}

/** Makes every row that names `from` name `to`. */
export async function renameKey(tx: Tx, from: string, to: string): Promise<void> {
  const tables = tx.db as unknown as AnyTables;
  for (const [table, column] of blobKeyColumns)
    await tables
      .updateTable(table)
      .set({ [column]: to })
      .where(column, '=', from)
      .execute();
}
