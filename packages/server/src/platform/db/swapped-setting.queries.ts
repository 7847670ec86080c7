import type { Db } from './schema.ts';

/**
 * Returns the value of a setting, or null. Several nodes may change it in turn: each replaces only the value
 * that it read.
 */
export async function findSetting(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Sets the value if it is still `from`. Returns false if somebody else changed it first. */
export async function swapSetting(
  db: Db,
  name: string,
  from: string | null,
  value: string,
): Promise<boolean> {
  if (from === null) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await db
    .updateTable('settings')
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
