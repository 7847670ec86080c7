import type { Db } from './schema.ts';

/** A row of `settings` that several nodes change by turns: each writes only over what it has read. */
export async function findSetting(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Writes it where it is still `from`; false if somebody else was first. */
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
