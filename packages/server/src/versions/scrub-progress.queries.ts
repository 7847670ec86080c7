import type { Db } from '../platform/db/schema.ts';

const name = 'scrub';

/** Where the last scrub ended, as it was written; null before the first. */
export async function findScrubProgress(db: Db): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Writes it where it is still `from`; false if another node was first. */
export async function replaceScrubProgress(db: Db, from: string | null, value: string): Promise<boolean> {
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
