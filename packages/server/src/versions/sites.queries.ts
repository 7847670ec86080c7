import type { Db, Tx } from '../platform/db/schema.ts';

export async function findLinkByLabel(db: Db, label: string) {
  return db.selectFrom('preview_links').selectAll().where('label', '=', label).executeTakeFirst();
}

/** Every label that shows the version now, for telling serving that it changed. */
export async function findLabelsOfVersion(db: Db | Tx, versionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('preview_links')
    .select('label')
    .where('version_id', '=', versionId)
    .execute();
  return rows.map(({ label }) => label);
}
