import * as listing from '@spaceport/contract/listing';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireLister } from '../spaces/rights.ts';
import { ownAnswer } from '../spaces/space-view.ts';
import { countListing, listSpace } from './list-space.ts';
import { proofFor } from './listing-errors.ts';
import { moveSpace } from './move-space.ts';
import { recapture } from './recapture.ts';
import { verifySpace } from './verify-space.ts';

/**
 * @param canTakePictures resolves to false if this server cannot take pictures; it may
 * start a browser to find out
 */
export function bindListing(
  binder: Binder,
  platform: Platform,
  canTakePictures: () => Promise<boolean>,
): void {
  const { urls } = platform;

  binder.bind(listing.listSpace, async ({ caller, body: { url, ...fields } }) => {
    const lister = requireLister(caller);
    await countListing(platform, lister.creatorId);
    const view = await listSpace(platform, lister, url, fields);
    const { headers, body } = ownAnswer(urls, view);
    return { headers, body: { ...body, ...(body.claimed ? {} : proofFor(lister.handle)) } };
  });

  binder.bind(listing.verifySpace, async ({ caller, body }) =>
    ownAnswer(urls, await verifySpace(platform, requireLister(caller), body)),
  );

  binder.bind(listing.moveSpace, async ({ caller, params, body }) => {
    const { view, previousUrl } = await moveSpace(platform, requireActive(caller), params.slug, body.url);
    const { headers, body: space } = ownAnswer(urls, view);
    return { headers, body: { ...space, previous_url: previousUrl } };
  });

  binder.bind(listing.recaptureSpace, async ({ caller, body }) => {
    const asked = await recapture(platform, requireActive(caller), body, canTakePictures);
    const { take, requestedAt, afterSeconds } = asked;
    return { body: { requested_at: toTimestamp(requestedAt), take, after_seconds: afterSeconds } };
  });
}
