import { type Selectable, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { CreatorsTable, Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews } from '../spaces/spaces.ts';

/** What anyone may see: on the service, and with something there to open. */
function publicViews(db: Db) {
  return selectViews(db)
    .where('space.state', '=', 'listed')
    .where((where) =>
      where.or([where('space.hosted', '=', 0), where('space.live_version_id', 'is not', null)]),
    );
}

export async function findPublicSpace(db: Db, slug: string): Promise<SpaceView | undefined> {
  return publicViews(db).where('space.slug', '=', slug).executeTakeFirst();
}

export interface PublicSpacesQuery {
  /** Folded as for the search; every one is in the title or the description. */
  readonly words: readonly string[];
  readonly spaceType: string | undefined;
  /** The largest is first. */
  readonly order: 'plays' | 'created_at';
  readonly after: Cursor | null;
  readonly limit: number;
}

/** The listed spaces. */
export async function findPublicSpaces(
  db: Db,
  { words, spaceType, order, after, limit }: PublicSpacesQuery,
): Promise<SpaceView[]> {
  let query = publicViews(db)
    .where('space.page_unlisted', '=', 0)
    .orderBy(`space.${order}`, 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit);
  if (spaceType) query = query.where('space.space_type', '=', spaceType);
  for (const word of words) {
    const pattern = `%${word.replaceAll(/[!%_]/gu, '!$&')}%`;
    query = query.where(
      sql<boolean>`(space.search_title like ${pattern} escape '!' or space.search_description like ${pattern} escape '!')`,
    );
  }
  if (after) query = query.where(afterCursor(`space.${order}`, 'space.id', after));
  return query.execute();
}

/** The newest listed spaces of a creator. */
export async function findPublicSpacesOf(db: Db, creatorId: AccountId, limit: number): Promise<SpaceView[]> {
  return publicViews(db)
    .where('space.owner_id', '=', creatorId)
    .where('space.claimed', '=', 1)
    .where('space.page_unlisted', '=', 0)
    .orderBy('space.created_at', 'desc')
    .limit(limit)
    .execute();
}

/** Those of these spaces that everyone sees, and their creators keep in the list. */
export async function findPublicAmong(db: Db, spaceIds: readonly SpaceId[]): Promise<SpaceView[]> {
  return publicViews(db)
    .where('space.id', 'in', oneOf(db, spaceIds))
    .where('space.page_unlisted', '=', 0)
    .execute();
}

type Creator = Pick<Selectable<CreatorsTable>, 'id' | 'name'> & { readonly createdAt: number };

/** A creator who is not banned, by handle. */
export async function findCreator(db: Db, handle: string): Promise<Creator | undefined> {
  return db
    .selectFrom('creators')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('handle', '=', handle)
    .where('banned_at', 'is', null)
    .executeTakeFirst();
}
