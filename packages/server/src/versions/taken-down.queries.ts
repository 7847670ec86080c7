import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db, TakenDownFilesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the hashes of those files that are taken down. */
export async function findTakenDown(db: Db, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectFrom('taken_down_files')
    .select('hash')
    .where('hash', 'in', oneOf(db, hashes))
    .execute();
  return rows.map(({ hash }) => hash);
}

export async function findTakenDownFile(db: Db, hash: string): Promise<TakenDownFilesTable | undefined> {
  return db.selectFrom('taken_down_files').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Returns false if the file is taken down already. */
export async function insertTakenDown(tx: Tx, hash: string, reason: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('taken_down_files')
    .values({ hash, reason, taken_down_at: tx.now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteTakenDown(tx: Tx, hash: string): Promise<boolean> {
  await tx.db.deleteFrom('taken_down_versions').where('hash', '=', hash).execute();
  const { numDeletedRows } = await tx.db
    .deleteFrom('taken_down_files')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns taken-down files in the order of their hashes, after the hash `after`. */
export async function listTakenDownFiles(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<TakenDownFilesTable[]> {
  let query = db.selectFrom('taken_down_files').selectAll().orderBy('hash').limit(limit);
  if (after !== undefined) query = query.where('hash', '>', after);
  return query.execute();
}

/** Returns the versions that were found to have one of the files, with the slugs of their spaces. */
export async function listTakenDownVersions(
  db: Db,
  hashes: readonly string[],
): Promise<{ hash: string; slug: string; number: number }[]> {
  if (hashes.length === 0) return [];
  return db
    .selectFrom('taken_down_versions as found')
    .innerJoin('versions as version', 'version.id', 'found.version_id')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .select(['found.hash', 'space.slug', 'version.number'])
    .where('found.hash', 'in', oneOf(db, hashes))
    .orderBy('space.slug')
    .orderBy('version.number')
    .execute();
}

/** Returns false if the pair is recorded already, or if the file or the version is gone. */
export async function insertTakenDownVersion(tx: Tx, hash: string, versionId: VersionId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('taken_down_versions')
    .columns(['hash', 'version_id'])
    .expression((from) =>
      from
        .selectFrom('taken_down_files as file')
        .innerJoin('versions as version', (join) => join.on('version.id', '=', versionId))
        .select(['file.hash', 'version.id'])
        .where('file.hash', '=', hash),
    )
    .onConflict((conflict) => conflict.columns(['hash', 'version_id']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns how many versions of a space were found to have the file. */
export async function countTakenDownVersions(tx: Tx, hash: string, spaceId: SpaceId): Promise<number> {
  const { count } = await tx.db
    .selectFrom('taken_down_versions as found')
    .innerJoin('versions as version', 'version.id', 'found.version_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('found.hash', '=', hash)
    .where('version.space_id', '=', spaceId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A space and the owner to tell about it. The owner's fields are null if nobody owns the space. */
export interface TakenDownSpace {
  readonly id: SpaceId;
  readonly slug: string;
  readonly title: string;
  readonly ownerId: AccountId | null;
  readonly email: string | null;
}

export async function findSpaceOfVersion(db: Db, versionId: VersionId): Promise<TakenDownSpace | undefined> {
  return (
    db
      .selectFrom('versions as version')
      .innerJoin('spaces as space', 'space.id', 'version.space_id')
      // A deleted account has no address any more.
      .leftJoin('creators as owner', (join) =>
        join.onRef('owner.id', '=', 'space.owner_id').on('owner.deleted_at', 'is', null),
      )
      .select(['space.id', 'space.slug', 'space.title', 'owner.id as ownerId', 'owner.email'])
      .where('version.id', '=', versionId)
      .executeTakeFirst()
  );
}
