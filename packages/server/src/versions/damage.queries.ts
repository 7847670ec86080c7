import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { DamagedFilesTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { countKeys, findKnownKeys } from './collector.queries.ts';

/** Types for queries on any of the tables in `blobKeyColumns`. */
type AnyTables = Kysely<Record<string, Record<string, string>>>;

/**
 * Returns the keys that one column names, in order, after the key `after`.
 * @param column the index of the column in `blobKeyColumns`
 */
export async function listKeys(db: Db, column: number, after: string, limit: number): Promise<string[]> {
  const [table, name] = blobKeyColumns[column] ?? blobKeyColumns[0];
  // The types do not know the tables here: the list of columns is data.
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
  for (const [table, column] of blobKeyColumns) count += await countKeys(db, table, column);
  return count;
}

/**
 * Records a missing or damaged file, so that creates ask for it again. Returns false if no row names the file
 * any more.
 */
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

/**
 * Deletes the record of a compressed form. The file is served uncompressed, and packed again with the next
 * version that has it.
 */
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

/** How many records of damage are looked at in a statement. A disk that is lost leaves one for every file. */
const damageAtOnce = 1_000;

/**
 * Counts the missing or damaged files that a row still names, and returns up to `limit` of them, the ones known longest
 * first.
 */
export async function readDamage(
  db: Db,
  limit: number,
): Promise<{ count: number; first: DamagedFilesTable[] }> {
  let count = 0;
  let first: DamagedFilesTable[] = [];
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('damaged_files')
      .selectAll()
      .where('key', '>', after)
      .orderBy('key')
      .limit(damageAtOnce)
      .execute();
    const known = await findKnownKeys(
      db,
      rows.map(({ key }) => key),
    );
    const named = rows.filter(({ key }) => known.has(key));
    count += named.length;
    first = [...first, ...named].sort((one, other) => one.found_at - other.found_at).slice(0, limit);
    if (rows.length < damageAtOnce) return { count, first };
    after = rows.at(-1)?.key ?? after;
    await nextTurn();
  }
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
