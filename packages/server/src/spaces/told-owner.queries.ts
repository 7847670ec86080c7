import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

/** The account to mail about a space, and how the mail names the space. */
export interface ToldOwner {
  readonly slug: string;
  readonly title: string;
  readonly email: string;
}

/** Returns the owner to tell about a space; undefined if the space is deleted or has none, or its owner is banned. */
export async function findToldOwner(db: Db, spaceId: SpaceId): Promise<ToldOwner | undefined> {
  return db
    .selectFrom('spaces as space')
    .innerJoin('creators as owner', 'owner.id', 'space.owner_id')
    .select(['space.slug', 'space.title', 'owner.email'])
    .where('space.id', '=', spaceId)
    .where('space.deleted_at', 'is', null)
    .where('owner.banned_at', 'is', null)
    .executeTakeFirst();
}
