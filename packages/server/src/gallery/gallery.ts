import type { PublicSpace, readGallery } from '@spaceport/contract/gallery';
import type { QueryOf } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { ShownTag } from '../platform/db/shown.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import type { Urls } from '../platform/urls.ts';
import { searchSpaces, spacesTagged } from '../search/search.ts';
import { noSpace } from '../spaces/own-space.ts';
import { type ShownView, type SpaceView, toShownSpace } from '../spaces/space-view.ts';
import {
  findCreator,
  findListedAddresses,
  findPublicAmong,
  findPublicSpace,
  findPublicSpaces,
  findPublicSpacesOf,
} from './gallery.queries.ts';

/**
 * Returns one space by its slug, even if its creator keeps it out of the list.
 * @throws `not_found`
 */
export async function readPublicSpace({ database: { db } }: Platform, slug: string): Promise<SpaceView> {
  const view = await findPublicSpace(db, slug);
  if (!view) throw noSpace(slug);
  return view;
}

/**
 * Returns a page of the listed spaces: best, newest or most played first. Text in `q` is
 * searched for (search/search.ts).
 */
export async function listPublicSpaces(
  { database: { db } }: Platform,
  { q = '', tag, space_type: spaceType, sort, cursor, limit }: QueryOf<typeof readGallery>,
): Promise<{ page: ShownView[]; next: string | null }> {
  const after = decodeCursor(cursor);
  const order = sort === 'played' ? 'plays' : 'created_at';
  const pageBy = { order, after, limit: limit + 1 } as const;
  if (q.trim() !== '') {
    const wanted = { q, tag, spaceType };
    const found = await searchSpaces(db, wanted, { order: sort ?? 'best', after, limit: limit + 1 });
    const { page, next } = pageOf(found, limit, (hit) => hit);
    return {
      page: await inOrder(
        db,
        page.map(({ id }) => id),
      ),
      next,
    };
  }
  const found =
    tag === undefined
      ? await findPublicSpaces(db, { spaceType, ...pageBy })
      : await inOrder(db, await spacesTagged(db, { tag, spaceType }, pageBy));
  return pageOf(found, limit, (view) => ({ value: view[order], id: view.id }));
}

/** Returns the slugs of the newest listed spaces, and the handles of those whose space one of them is. */
export async function listAddresses(
  { database: { db } }: Pick<Platform, 'database'>,
  limit: number,
): Promise<{ slugs: string[]; handles: string[] }> {
  const listed = await findListedAddresses(db, limit);
  const owners = listed.flatMap(({ claimed, handle }) => (claimed === 1 && handle !== null ? [handle] : []));
  return { slugs: listed.map(({ slug }) => slug), handles: [...new Set(owners)] };
}

async function inOrder(db: Db, ids: readonly SpaceId[]): Promise<ShownView[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await findPublicAmong(db, ids)).map((view) => [view.id, view]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the tags of an answer about these spaces (`platform/db/shown.ts`). */
export function showsOf(views: readonly Pick<SpaceView, 'id' | 'owner_id'>[]): ShownTag[] {
  return [...views.map(({ id }) => `space:${id}` as const), ...ownersOf(views)];
}

/** Returns the tags of an answer with a list, to which other spaces may be added. */
export function showsOfList(views: readonly Pick<SpaceView, 'owner_id'>[]): ShownTag[] {
  return ['spaces', ...ownersOf(views)];
}

function ownersOf(views: readonly Pick<SpaceView, 'owner_id'>[]): ShownTag[] {
  return [...new Set(views.flatMap(({ owner_id }) => owner_id ?? []))].map((id) => `person:${id}` as const);
}

/**
 * Returns the public fields of a space: without those for the owner, and without an owner who has
 * not proved to own the page.
 */
export function toPublicSpace(urls: Urls, view: ShownView): PublicSpace {
  const space = toShownSpace(urls, view);
  return {
    ...space,
    owner: space.claimed ? space.owner : null,
    plays: view.plays,
    how_made: space.page.show_how_made ? space.how_made : null,
  };
}

/** Returns slug and title of the spaces among these that the gallery lists. */
export async function namesOfListed(
  { database: { db } }: Pick<Platform, 'database'>,
  spaceIds: readonly SpaceId[],
): Promise<Map<SpaceId, { slug: string; title: string }>> {
  const views = spaceIds.length === 0 ? [] : await findPublicAmong(db, [...new Set(spaceIds)]);
  return new Map(views.map(({ id, slug, title }) => [id, { slug, title }]));
}

const shownOfCreator = 100;

/** Returns a creator by handle, with the newest of their listed spaces; null if there is none. */
export async function listPublicSpacesOf(
  { database: { db }, urls }: Platform,
  handle: string,
): Promise<{ id: AccountId; name: string; createdAt: number; spaces: PublicSpace[] } | null> {
  const creator = await findCreator(db, handle);
  if (!creator) return null;
  const views = await findPublicSpacesOf(db, creator.id, shownOfCreator);
  return {
    id: creator.id,
    name: creator.name,
    createdAt: creator.createdAt,
    spaces: views.map((view) => toPublicSpace(urls, view)),
  };
}
