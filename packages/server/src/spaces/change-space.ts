import type { SpacePatch } from '@spaceport/contract/spaces';
import type { Platform } from '../platform/context.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { matchesEtag } from '../platform/http/public-cache.ts';
import { requireOwn } from './own-space.ts';
import { toColumns } from './space-fields.ts';
import { etagOf, ownView, type SpaceView, viewById } from './space-view.ts';
import { changeSpaceRow, lockSpace, type SpaceRow } from './spaces.queries.ts';
import { requireUnfrozen } from './spaces.ts';

/**
 * Changes the given listing fields and page settings.
 * @param ifMatch the If-Match header
 * @throws `not_found`, `removed`, `held` and `precondition_failed`
 */
export async function changeSpace(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  { page, ...fields }: SpacePatch,
  ifMatch: string | undefined,
): Promise<SpaceView> {
  const { database } = platform;
  const own = await ownView(database.db, slug, caller);
  await database.transaction(async (tx) => {
    const space = requireOwn(await lockSpace(tx, own.id), slug, caller);
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etagOf(space), 'strong'))
      throw new ServiceError(
        'precondition_failed',
        'The space changed since the ETag in If-Match was read; read it again.',
      );
    requireUnfrozen(space);
    const change = { ...toColumns(fields), ...(page ? pageColumns(space, page) : {}) };
    if (Object.keys(change).length === 0) return;
    await changeSpaceRow(tx, space.id, change);
    tx.announce('space', space.slug);
  });
  return viewById(database.db, own.id);
}

function pageColumns(
  space: SpaceRow,
  change: NonNullable<SpacePatch['page']>,
): Pick<SpaceRow, 'page' | 'page_unlisted'> {
  const page = { ...fromJson(space.page), ...change };
  return { page: toJson(page), page_unlisted: page.unlisted ? 1 : 0 };
}
