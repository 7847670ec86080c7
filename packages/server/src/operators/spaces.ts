import type { OwnSpace } from '@spaceport/contract/listing';
import type { SpaceState } from '@spaceport/contract/spaces';
import type { Platform } from '../platform/context.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { fold } from '../search/words.ts';
import { noSpace } from '../spaces/own-space.ts';
import { toOwnSpace, viewById } from '../spaces/space-view.ts';
import { findEvenDeleted } from '../spaces/spaces.ts';
import type { ListQuery } from './list-query.ts';
import { type SpaceDeed, setState } from './space-actions.ts';
import { findSpaces } from './spaces.queries.ts';

/** Returns a page of all spaces, newest first. `q` is a part of a slug, a title or an owner's handle. */
export async function listSpaces(
  { database: { db }, urls }: Platform,
  { q = '', state, cursor, limit }: ListQuery & { q?: string | undefined; state?: SpaceState | undefined },
): Promise<{ spaces: OwnSpace[]; next: string | null }> {
  const words = fold(q).trim();
  const rows = await findSpaces(db, { words, state }, { after: decodeCursor(cursor), limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { spaces: page.map((view) => toOwnSpace(urls, view)), next };
}

/**
 * Performs an action on the space at a slug.
 * @throws `not_found` and `conflict`
 */
export async function changeSpaceState(platform: Platform, slug: string, deed: SpaceDeed): Promise<OwnSpace> {
  const { database, urls } = platform;
  const space = await findEvenDeleted(database.db, slug);
  if (!space) throw noSpace(slug);
  await database.transaction((tx) => setState(platform, tx, space.id, deed));
  return toOwnSpace(urls, await viewById(database.db, space.id));
}
