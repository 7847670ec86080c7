import { oneOf } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { ContentCoding } from '../serving/site.ts';

export type Forms = Partial<Record<ContentCoding, { key: string; size: number }>>;

/**
 * Records the compressed forms of a blob. Returns false if they were recorded before, or if the blob is gone.
 */
export async function recordForms(tx: Tx, hash: string, forms: Forms): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('blobs')
    .set({ packed: 1 })
    .where('hash', '=', hash)
    .where('packed', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const rows = Object.entries(forms).map(([coding, form]) => ({
    hash,
    coding: coding as ContentCoding,
    ...form,
  }));
  if (rows.length > 0) await tx.db.insertInto('blob_forms').values(rows).execute();
  return true;
}

/** Returns the compressed forms of these blobs, by hash. */
export async function findForms(db: Db, hashes: readonly string[]): Promise<Map<string, Forms>> {
  const rows = await db.selectFrom('blob_forms').selectAll().where('hash', 'in', oneOf(db, hashes)).execute();
  const forms = new Map<string, Forms>();
  for (const { hash, coding, key, size } of rows)
    forms.set(hash, { ...forms.get(hash), [coding]: { key, size } });
  return forms;
}
