import type { PublicSpace, readGallery } from '@spaceport/contract/gallery';
import type { QueryOf } from '@spaceport/contract/operation';
import { sql } from 'kysely';
import type { Platform } from '../platform/context.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import type { Urls } from '../platform/urls.ts';
import { foldForSearch } from '../spaces/space-fields.ts';
import { type SpaceView, selectViews, toOwnSpace } from '../spaces/space-view.ts';

const maxWords = 8;

/** What anyone may see: on the service, and with something there to open. */
function publicViews(db: Db) {
  return selectViews(db)
    .where('space.state', '=', 'listed')
    .where((where) =>
      where.or([where('space.hosted', '=', 0), where('space.live_version_id', 'is not', null)]),
    );
}

/**
 * One space by its slug, also where its creator keeps it out of the list.
 * @throws `not_found`
 */
export async function readPublicSpace({ database: { db } }: Platform, slug: string): Promise<SpaceView> {
  const view = await publicViews(db).where('space.slug', '=', slug).executeTakeFirst();
  if (!view) throw new ServiceError('not_found', `There is no space «${slug}».`);
  return view;
}

/** A page of the listed spaces, newest or most played first; every word of `q` is in the title or the description. */
export async function listPublicSpaces(
  { database: { db } }: Platform,
  { q = '', space_type, sort, cursor, limit }: QueryOf<typeof readGallery>,
): Promise<{ page: SpaceView[]; next: string | null }> {
  const order = sort === 'played' ? 'plays' : 'created_at';
  let query = publicViews(db)
    .where('space.page_unlisted', '=', 0)
    .orderBy(`space.${order}`, 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit + 1);
  if (space_type) query = query.where('space.space_type', '=', space_type);
  for (const word of wordsOf(q)) {
    const pattern = `%${word.replaceAll(/[!%_]/gu, '!$&')}%`;
    query = query.where(
      sql<boolean>`(space.search_title like ${pattern} escape '!' or space.search_description like ${pattern} escape '!')`,
    );
  }
  const after = decodeCursor(cursor);
  if (after)
    query = query.where((where) =>
      where.or([
        where(`space.${order}`, '<', after.value),
        where.and([where(`space.${order}`, '=', after.value), where('space.id', '<', after.id)]),
      ]),
    );
  return pageOf(await query.execute(), limit, (view) => ({ value: view[order], id: view.id }));
}

function wordsOf(q: string): string[] {
  return foldForSearch(q)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords);
}

/** The fields for everyone: what only concerns the owner is left out, and so is an owner that proved nothing. */
export function toPublicSpace(urls: Urls, view: SpaceView): PublicSpace {
  const { state: _, live_version: __, page_warning: ___, ...space } = toOwnSpace(urls, view);
  return {
    ...space,
    owner: space.claimed ? space.owner : null,
    plays: view.plays,
    how_made: space.page.show_how_made ? space.how_made : null,
  };
}

const shownOfCreator = 100;

/** A creator by their handle, with the newest of what they have listed; null where there is none. */
export async function listPublicSpacesOf(
  { database: { db }, urls }: Platform,
  handle: string,
): Promise<{ name: string; createdAt: number; spaces: PublicSpace[] } | null> {
  const creator = await db
    .selectFrom('creators')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('handle', '=', handle)
    .where('banned_at', 'is', null)
    .executeTakeFirst();
  if (!creator) return null;
  const views = await publicViews(db)
    .where('space.owner_id', '=', creator.id)
    .where('space.claimed', '=', 1)
    .where('space.page_unlisted', '=', 0)
    .orderBy('space.created_at', 'desc')
    .limit(shownOfCreator)
    .execute();
  return {
    name: creator.name,
    createdAt: creator.createdAt,
    spaces: views.map((view) => toPublicSpace(urls, view)),
  };
}
