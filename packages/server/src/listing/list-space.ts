import type { SpaceFields } from '@spaceport/contract/spaces';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { requestClip } from '../spaces/clips.ts';
import { requireNotBanned } from '../spaces/rights.ts';
import { type SpaceView, viewById } from '../spaces/space-view.ts';
import { createSpace } from '../spaces/spaces.ts';
import { takeAddresses } from './address.ts';
import { namesOwner, openListablePage } from './open-page.ts';
import { syncPage } from './page-sync.ts';

/** The account that lists a page. */
export interface Lister {
  readonly creatorId: AccountId;
  readonly handle: string;
}

/**
 * Lists a page as a space. The space is claimed if the page has the proof tag with the lister's handle, else
 * unclaimed. Without a lister the service itself lists the page, and its owner can claim it later.
 * @param also runs in the same transaction
 * @throws the errors of `openListablePage`
 */
export async function listSpace(
  platform: Platform,
  lister: Lister | null,
  url: string,
  fields: SpaceFields,
  also: (tx: Tx, spaceId: SpaceId) => Promise<void> = async () => {},
): Promise<SpaceView> {
  const { database, urls } = platform;
  const page = await openListablePage(platform, url, null);
  const claimed = lister !== null && namesOwner(page.head, lister.handle);
  const id = await database.transaction(async (tx) => {
    const kind = {
      owner_id: lister?.creatorId ?? null,
      hosted: 0,
      claimed: claimed ? 1 : 0,
      url: page.url,
    } as const;
    if (lister !== null) await requireNotBanned(tx, lister.creatorId);
    const space = await createSpace(tx, fields, kind);
    await takeAddresses(urls, tx, space.id, page.keys);
    await syncPage(tx, space.id, page.head);
    await requestClip(tx, space);
    await also(tx, space.id);
    return space.id;
  });
  return viewById(database.db, id);
}

/**
 * Counts one page that the service opens for an account, because each takes a connection and up to ten
 * seconds. Refused pages count too, so this has a transaction of its own.
 * @throws `rate_limited`
 */
export async function countListing(platform: Platform, creatorId: AccountId): Promise<void> {
  const { database, config } = platform;
  const limit = { count: config.LISTINGS_PER_HOUR, seconds: 3600 };
  const sentence = `More than ${limit.count} pages were listed or verified in an hour.`;
  await database.transaction((tx) => requireWithin(tx, `listing:${creatorId}`, limit, sentence));
}
