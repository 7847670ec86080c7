import type { Kysely } from 'kysely';

/** The tables that this migration reads and writes, as they are at this point of the schema's history. */
interface Tables {
  manifests: { version_id: string; files: string };
  versions: { id: string; bytes: number };
  blobs: { hash: string; size: number };
}
type Files = [path: string, hash: string, size: number][];

/** A manifest has at most 2,000 files. */
const manifestsAtOnce = 50;
/** The engines limit the parameters of a query. */
const hashesAtOnce = 500;

/**
 * Sets the sizes in manifests to those of the stored files. Before, they were what the creator declared, even
 * for files that were already stored. Files that are not stored yet are left: their upload compares the size.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('manifests')
      .selectAll()
      .where('version_id', '>', last)
      .orderBy('version_id')
      .limit(manifestsAtOnce)
      .execute();
    for (const { version_id, files } of rows) await correct(db, version_id, JSON.parse(files) as Files);
    last = rows.at(-1)?.version_id ?? last;
    if (rows.length < manifestsAtOnce) return;
  }
}

async function correct(db: Kysely<Tables>, versionId: string, files: Files): Promise<void> {
  const sizes = await storedSizes(db, [...new Set(files.map(([, hash]) => hash))]);
  const corrected = files.map(([path, hash, size]) => [path, hash, sizes.get(hash) ?? size] as const);
  if (corrected.every(([, , size], index) => size === files[index]?.[2])) return;
  await db
    .updateTable('manifests')
    .set({ files: JSON.stringify(corrected) })
    .where('version_id', '=', versionId)
    .execute();
  await db
    .updateTable('versions')
    .set({ bytes: corrected.reduce((sum, [, , size]) => sum + size, 0) })
    .where('id', '=', versionId)
    .execute();
}

async function storedSizes(db: Kysely<Tables>, hashes: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (let at = 0; at < hashes.length; at += hashesAtOnce) {
    const rows = await db
      .selectFrom('blobs')
      .select(['hash', 'size'])
      .where('hash', 'in', hashes.slice(at, at + hashesAtOnce))
      .execute();
    for (const { hash, size } of rows) sizes.set(hash, Number(size));
  }
  return sizes;
}
