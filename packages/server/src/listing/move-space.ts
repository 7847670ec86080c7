import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { requestClip } from '../spaces/clips.ts';
import { noSuchSpace } from '../spaces/own-space.ts';
import { addressOf, type SpaceView, viewById } from '../spaces/space-view.ts';
import { changeSpaceRow, findView, lockSpace, requireUnfrozen } from '../spaces/spaces.ts';
import { leaveVersionsBehind } from '../versions/left-behind.ts';
import { takeAddresses } from './address.ts';
import { changedMeanwhile, unverified } from './listing-errors.ts';
import { namesOwner, openListablePage } from './open-page.ts';
import { syncPage } from './page-sync.ts';

export interface MovedSpace {
  readonly view: SpaceView;
  readonly previousUrl: string;
}

/**
 * Moves a space to another address. The page is opened outside any transaction.
 * @throws the codes of the operation `moveSpace`; `conflict` if the space changed in the meantime
 */
export async function moveSpace(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  url: string,
): Promise<MovedSpace> {
  const { database, urls } = platform;
  const space = await findView(database.db, slug);
  if (!space || (space.owner_id !== caller.creatorId && !caller.operator)) throw noSuchSpace(slug);
  await countTry(platform, space);
  requireUnfrozen(space);
  const page = await openListablePage(platform, url, space);
  if (space.claimed === 1 && space.owner_handle !== null && !namesOwner(page.head, space.owner_handle))
    throw unverified(space.owner_handle);
  await database.transaction(async (tx) => {
    const now = await lockSpace(tx, space.id);
    if (now?.revision !== space.revision) throw changedMeanwhile();
    await takeAddresses(urls, tx, space.id, page.keys);
    // The pointer to the version that was live stays, for the list of versions.
    await changeSpaceRow(tx, space.id, { hosted: 0, url: page.url });
    await leaveVersionsBehind(tx, space.id);
    await syncPage(tx, space.id, page.head);
    await requestClip(tx, space);
    tx.announce('space', space.slug);
  });
  return { view: await viewById(database.db, space.id), previousUrl: addressOf(urls, space) };
}

/** Counts every try, also a failed one. This has a transaction of its own, before the page is opened. */
async function countTry({ database, config }: Platform, space: SpaceView): Promise<void> {
  const limit = { count: config.MOVES_PER_10_MINUTES, seconds: 600 };
  const sentence = `The space used its ${limit.count} tries in 10 minutes.`;
  await database.transaction((tx) => requireWithin(tx, `move:${space.id}`, limit, sentence));
}
