import type { Kysely } from 'kysely';

/** What this migration reads and writes, as it is at this point of the schema's history. */
interface Tables {
  manifests: { version_id: string; files: string };
  versions: { id: string; bytes: number };
  blobs: { hash: string; size: number };
}
type Files = [path: string, hash: string, size: number][];

/** A manifest has at most 2,000 files. */
const manifestsAtOnce = 50;
/** Engines bound the parameters of a query. */
const hashesAtOnce = 500;

/**
 * A manifest's sizes were once what its creator declared, also for files that were there already. From here on every
 * one of them is the stored file's; what is not stored yet is left, its upload compares it.
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
