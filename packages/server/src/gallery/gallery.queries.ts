import type { Selectable } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { oneOfList } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { CreatorsTable, Db, SpacesTable } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { isListed, isPublic } from '../search/search.ts';
import {
  type ShownView,
  type SpaceView,
  selectAddresses,
  selectSettings,
  selectShown,
  selectViews,
} from '../spaces/spaces.ts';

export async function findPublicSpace(db: Db, slug: string): Promise<SpaceView | undefined> {
  return selectViews(db).where(isPublic).where('space.slug', '=', slug).executeTakeFirst();
}

/** The settings that reads of a space's boards need. */
export type PublicSettings = Pick<Selectable<SpacesTable>, 'id' | 'page'>;

/**
 * Finds these settings by slug, for reads that show nothing else of the space. Look-ups that come
 * together share one statement.
 */
export const findPublicSettings = gathered(async (db: Db, slugs: readonly string[]) => {
  const spaces = await findSettingsOf(db, { slugs: listOf(slugs) });
  return new Map(spaces.map(({ slug, ...settings }): [string, PublicSettings] => [slug, settings]));
});

const findSettingsOf = prepared((db, { slugs }: Given<{ slugs: List<string> }>) =>
  selectSettings(db).where(isPublic).where('space.slug', 'in', oneOfList(db, slugs)),
);

export interface PublicSpacesQuery {
  readonly spaceType: string | undefined;
  /** The column to sort by; the largest value is first. */
  readonly order: 'plays' | 'created_at';
  readonly after: Cursor | null;
  readonly limit: number;
}

/** Returns the listed spaces. */
export async function findPublicSpaces(
  db: Db,
  { spaceType, order, after, limit }: PublicSpacesQuery,
): Promise<ShownView[]> {
  let query = selectShown(db)
    .where('space.state', '=', 'listed')
    .where(isListed)
    .orderBy(`space.${order}`, 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit);
  if (spaceType) query = query.where('space.space_type', '=', spaceType);
  if (after) query = query.where(afterCursor(`space.${order}`, 'space.id', after));
  return query.execute();
}

/** Returns the newest listed spaces of a creator. */
export async function findPublicSpacesOf(db: Db, creatorId: AccountId, limit: number): Promise<ShownView[]> {
  return selectShown(db)
    .where(isListed)
    .where('space.owner_id', '=', creatorId)
    .where('space.claimed', '=', 1)
    .orderBy('space.created_at', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the spaces among these that are public and that their creators keep in the list. Do not change them. */
export async function findPublicAmong(db: Db, spaceIds: readonly SpaceId[]): Promise<ShownView[]> {
  const found = await Promise.all(spaceIds.map((id) => findShown(db, id)));
  return found.flatMap((view) => view ?? []);
}

/** Some eight pages of a list: turning more into answers would keep the event loop for too long. */
const mostShown = 200;

/** Finds a space for a list. Lists that are read together share a statement, and often spaces. */
const findShown = gathered(async (db: Db, spaceIds: readonly SpaceId[]) => {
  const views = await findAmong(db, { spaceIds: listOf(spaceIds) });
  return new Map(views.map((view): [string, ShownView] => [view.id, view]));
}, mostShown);

const findAmong = prepared((db, { spaceIds }: Given<{ spaceIds: List<SpaceId> }>) =>
  selectShown(db).where(isListed).where('space.id', 'in', oneOfList(db, spaceIds)),
);

type Creator = Pick<Selectable<CreatorsTable>, 'id' | 'name'> & { readonly createdAt: number };

/** Returns a creator who is not banned, by handle. */
export async function findCreator(db: Db, handle: string): Promise<Creator | undefined> {
  return db
    .selectFrom('creators')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('handle', '=', handle)
    .where('banned_at', 'is', null)
    .executeTakeFirst();
}

/** Returns the slugs of the newest listed spaces with their owners' handles. */
export async function findListedAddresses(
  db: Db,
  limit: number,
): Promise<{ slug: string; claimed: number; handle: string | null }[]> {
  return selectAddresses(db)
    .where('space.state', '=', 'listed')
    .where(isListed)
    .orderBy('space.created_at', 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit)
    .execute();
}
