import type { Selectable } from 'kysely';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { CheckPicturesTable, ClipsTable, CoversTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type ClipRow = Selectable<ClipsTable>;
export type CheckPictureRow = Selectable<CheckPicturesTable>;

export async function insertClip(tx: Tx, clip: ClipRow): Promise<void> {
  await tx.db.insertInto('clips').values(clip).execute();
}

/** Returns the takes of a space, newest first. */
export async function listTakes(db: Db, spaceId: SpaceId): Promise<ClipRow[]> {
  return db.selectFrom('clips').selectAll().where('space_id', '=', spaceId).orderBy('take', 'desc').execute();
}

export async function deleteTakes(tx: Tx, spaceId: SpaceId, takes: readonly number[]): Promise<void> {
  await tx.db.deleteFrom('clips').where('space_id', '=', spaceId).where('take', 'in', takes).execute();
}

/** Selects the space if anyone may see its pictures now. */
function listed(db: Db, spaceId: SpaceId) {
  return db.selectFrom('spaces').select('id').where('id', '=', spaceId).where('state', '=', 'listed');
}

/** Returns a take of a space, if anyone may see it now. */
export async function findPublicTake(db: Db, spaceId: SpaceId, take: number): Promise<ClipRow | undefined> {
  const space = listed(db, spaceId);
  return db
    .selectFrom('clips')
    .selectAll()
    .where('space_id', 'in', space)
    .where('take', '=', take)
    .executeTakeFirst();
}

/** Returns the owner's own picture of a space, if anyone may see it now. */
export async function findPublicCover(
  db: Db,
  spaceId: SpaceId,
  name: string,
): Promise<Selectable<CoversTable> | undefined> {
  const space = listed(db, spaceId);
  return db
    .selectFrom('covers')
    .selectAll()
    .where('space_id', 'in', space)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Replaces the cover of a space, or deletes it. Returns the keys that are no longer shown. */
export async function replaceCover(
  tx: Tx,
  spaceId: SpaceId,
  row: Selectable<CoversTable> | null,
): Promise<string[]> {
  const before = await tx.db
    .deleteFrom('covers')
    .where('space_id', '=', spaceId)
    .returning(['key', 'key_small'])
    .executeTakeFirst();
  if (row !== null) await tx.db.insertInto('covers').values(row).execute();
  return before ? [before.key, before.key_small] : [];
}

/** Returns the newest take that shows the version. */
export async function findTakeOfVersion(db: Db, versionId: VersionId): Promise<number | undefined> {
  const row = await db
    .selectFrom('clips')
    .select('take')
    .where('version_id', '=', versionId)
    .orderBy('take', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.take;
}

export async function findCheckPicture(db: Db, name: string): Promise<CheckPictureRow | undefined> {
  return db.selectFrom('check_pictures').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Stores the picture of a version's check. Returns the key of the earlier picture, or null. */
export async function putCheckPicture(tx: Tx, row: CheckPictureRow): Promise<string | null> {
  const before = await tx.db
    .selectFrom('check_pictures')
    .select('key')
    .where('version_id', '=', row.version_id)
    .executeTakeFirst();
  await tx.db
    .insertInto('check_pictures')
    .values(row)
    .onConflict((conflict) => conflict.column('version_id').doUpdateSet({ name: row.name, key: row.key }))
    .execute();
  return before?.key ?? null;
}
