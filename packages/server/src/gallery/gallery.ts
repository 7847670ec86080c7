import type { PublicSpace, readGallery } from '@spaceport/contract/gallery';
import type { QueryOf } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import type { Urls } from '../platform/urls.ts';
import { foldForSearch } from '../spaces/space-fields.ts';
import { type SpaceView, toOwnSpace } from '../spaces/space-view.ts';
import {
  findCreator,
  findPublicAmong,
  findPublicSpace,
  findPublicSpaces,
  findPublicSpacesOf,
} from './gallery.queries.ts';

const maxWords = 8;

/**
 * One space by its slug, also where its creator keeps it out of the list.
 * @throws `not_found`
 */
export async function readPublicSpace({ database: { db } }: Platform, slug: string): Promise<SpaceView> {
  const view = await findPublicSpace(db, slug);
  if (!view) throw noSpace(slug);
  return view;
}

export function noSpace(slug: string): ServiceError {
  return new ServiceError('not_found', `There is no space «${slug}».`);
}

/** A page of the listed spaces, newest or most played first; every word of `q` is in the title or the description. */
export async function listPublicSpaces(
  { database: { db } }: Platform,
  { q = '', space_type, sort, cursor, limit }: QueryOf<typeof readGallery>,
): Promise<{ page: SpaceView[]; next: string | null }> {
  const order = sort === 'played' ? 'plays' : 'created_at';
  const views = await findPublicSpaces(db, {
    words: wordsOf(q),
    spaceType: space_type,
    order,
    after: decodeCursor(cursor),
    limit: limit + 1,
  });
  return pageOf(views, limit, (view) => ({ value: view[order], id: view.id }));
}

function wordsOf(q: string): string[] {
  return foldForSearch(q)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords);
}

/** The fields for everyone, without those for the owner only, and without an owner that has proved nothing. */
export function toPublicSpace(urls: Urls, view: SpaceView): PublicSpace {
  const { state: _, live_version: __, page_warning: ___, ...space } = toOwnSpace(urls, view);
  return {
    ...space,
    owner: space.claimed ? space.owner : null,
    plays: view.plays,
    how_made: space.page.show_how_made ? space.how_made : null,
  };
}

/** Those of these spaces that the gallery lists, by what their pages are called. */
export async function namesOfListed(
  { database: { db } }: Pick<Platform, 'database'>,
  spaceIds: readonly SpaceId[],
): Promise<Map<SpaceId, { slug: string; title: string }>> {
  const views = spaceIds.length === 0 ? [] : await findPublicAmong(db, [...new Set(spaceIds)]);
  return new Map(views.map(({ id, slug, title }) => [id, { slug, title }]));
}

const shownOfCreator = 100;

/** A creator by their handle, with the newest of what they have listed; null if there is none. */
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
