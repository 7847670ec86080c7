import type { Platform } from '../platform/context.ts';
import { noSuchSpace } from '../spaces/own-space.ts';
import { requireNotBanned } from '../spaces/rights.ts';
import { type SpaceView, viewById } from '../spaces/space-view.ts';
import { changeSpaceRow, findView, lockSpace, requireUnfrozen, spaceAt } from '../spaces/spaces.ts';
import { urlKey } from './address.ts';
import { countListing, type Lister } from './list-space.ts';
import { changedMeanwhile, unverified } from './listing-errors.ts';
import { namesOwner, openListedPage } from './open-page.ts';
import { syncPage } from './page-sync.ts';

export type Named = { readonly slug?: string | undefined; readonly url?: string | undefined };

/**
 * Claims a space by the proof tag: an unclaimed listing of the caller, or a page that the service listed. For
 * a space that the caller has claimed already, its page is looked at again.
 * @throws `not_found`, `unverified`, `conflict`, `removed`, `held`, `rate_limited` and the
 * errors of `openListedPage`
 */
export async function verifySpace(platform: Platform, caller: Lister, named: Named): Promise<SpaceView> {
  const { database } = platform;
  const space = await findNamed(platform, named);
  if (!space || (space.owner_id !== null && space.owner_id !== caller.creatorId))
    throw noSuchSpace(named.slug ?? named.url ?? '');
  requireUnfrozen(space);
  // A hosted space belongs to its creator from the start.
  if (space.url === null) return space;
  await countListing(platform, caller.creatorId);
  const head = await openListedPage(platform, space.url);
  if (!namesOwner(head, caller.handle)) throw unverified(caller.handle);
  await database.transaction(async (tx) => {
    const now = await lockSpace(tx, space.id);
    if (now?.owner_id !== space.owner_id || now.url !== space.url) throw changedMeanwhile();
    requireUnfrozen(now);
    await requireNotBanned(tx, caller.creatorId);
    if (now.claimed === 0) await changeSpaceRow(tx, space.id, { owner_id: caller.creatorId, claimed: 1 });
    await syncPage(tx, space.id, head);
    tx.announce('space', space.slug);
  });
  return viewById(database.db, space.id);
}

async function findNamed({ database: { db } }: Platform, { slug, url }: Named) {
  if (slug !== undefined) return findView(db, slug);
  const found = url === undefined ? undefined : await spaceAt(db, urlKey(url));
  return found && findView(db, found.slug);
}
