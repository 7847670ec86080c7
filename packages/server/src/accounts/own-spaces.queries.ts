import type { AccountId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { TokenSpace } from './token-reach.ts';

/** A space that a token could be for. */
export interface NamedSpace extends TokenSpace {
  readonly title: string;
}

export function findOwnSpace(db: Db, creatorId: AccountId, slug: string): Promise<NamedSpace | undefined> {
  return selectOwn(db, creatorId).where('slug', '=', slug).executeTakeFirst();
}

export function findOwnSpaceById(db: Db, creatorId: AccountId, id: SpaceId): Promise<NamedSpace | undefined> {
  return selectOwn(db, creatorId).where('id', '=', id).executeTakeFirst();
}

/** Returns the first spaces by title. */
export function listOwnSpaces(db: Db, creatorId: AccountId, limit: number): Promise<NamedSpace[]> {
  return selectOwn(db, creatorId).orderBy('title').orderBy('slug').limit(limit).execute();
}

function selectOwn(db: Db, creatorId: AccountId) {
  return db
    .selectFrom('spaces')
    .select(['id', 'slug', 'title'])
    .where('owner_id', '=', creatorId)
    .where('deleted_at', 'is', null);
}

/** Returns the space of a version; undefined if there is no such version. */
export async function findSpaceOfVersion(db: Db, versionId: VersionId): Promise<SpaceId | undefined> {
  const row = await db
    .selectFrom('versions')
    .select('space_id')
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row?.space_id;
}
