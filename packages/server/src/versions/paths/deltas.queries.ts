import { oneOf } from '../../platform/db/dialect.ts';
import type { Db } from '../../platform/db/schema.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Delta } from '../../serving/site.ts';

/** Returns the deltas of these blobs, by hash. */
export async function findDeltas(db: Db, hashes: readonly string[]): Promise<Map<string, Delta[]>> {
  const rows = await db
    .selectFrom('blob_deltas')
    .selectAll()
    .where('hash', 'in', oneOf(db, hashes))
    .execute();
  const deltas = new Map<string, Delta[]>();
  for (const { hash, ...delta } of rows) deltas.set(hash, [...(deltas.get(hash) ?? []), delta]);
  return deltas;
}

/** Records a delta. Returns false if it was recorded before, or if the blob is gone. */
export async function recordDelta(tx: Tx, hash: string, delta: Delta): Promise<boolean> {
  const blob = await tx.db
    .updateTable('blobs')
    .set({ packed: 1 })
    .where('hash', '=', hash)
    .where('packed', '=', 1)
    .returning('hash')
    .executeTakeFirst();
  if (!blob) return false;
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('blob_deltas')
    .values({ hash, ...delta })
    .onConflict((conflict) => conflict.columns(['hash', 'dictionary']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
