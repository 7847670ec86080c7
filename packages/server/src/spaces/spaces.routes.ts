import * as listing from '@spaceport/contract/listing';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Binder } from '../platform/http/operations.ts';
import { changeSpace } from './change-space.ts';
import { recapture } from './clips.ts';
import { countListing, listSpace } from './list-space.ts';
import { proofFor } from './listing-errors.ts';
import type { MovePlatform } from './listing-platform.ts';
import { moveSpace } from './move-space.ts';
import { mySpaces, toMySpace } from './my-spaces.ts';
import { requireActive, requireCreator, requireLister } from './rights.ts';
import { etagOf, ownView, type SpaceView, toOwnSpace } from './space-view.ts';
import { verifySpace } from './verify-space.ts';

export function bindSpaces(binder: Binder, platform: MovePlatform): void {
  const { urls, database } = platform;
  const answer = (view: SpaceView) => ({
    headers: { etag: etagOf(view) },
    body: toOwnSpace(urls, view),
  });

  binder.bind(listing.listSpace, async ({ caller, body: { url, ...fields } }) => {
    const lister = requireLister(caller);
    await countListing(platform, lister.creatorId);
    const view = await listSpace(platform, lister, url, fields);
    const { headers, body } = answer(view);
    return { headers, body: { ...body, ...(body.claimed ? {} : proofFor(lister.handle)) } };
  });

  binder.bind(listing.mySpaces, async ({ caller, query }) => {
    const { deleted, cursor, limit } = query;
    const { page, next } = await mySpaces(platform, requireCreator(caller), {
      cursor,
      limit,
      ...(deleted === undefined
        ? {}
        : { restorableSince: platform.clock.now() - platform.config.RESTORE_SECONDS * 1_000 }),
    });
    return {
      body: {
        spaces: page.map((view) => toMySpace(platform, view)),
        next,
      },
    };
  });

  binder.bind(listing.verifySpace, async ({ caller, body }) =>
    answer(await verifySpace(platform, requireLister(caller), body)),
  );

  binder.bind(listing.readSpace, async ({ caller, params }) =>
    answer(await ownView(database.db, params.slug, requireCreator(caller))),
  );

  binder.bind(listing.changeSpace, async ({ caller, params, body, headers }) =>
    answer(await changeSpace(platform, requireActive(caller), params.slug, body, headers['if-match'])),
  );

  binder.bind(listing.moveSpace, async ({ caller, params, body }) => {
    const { view, previousUrl } = await moveSpace(platform, requireActive(caller), params.slug, body.url);
    const { headers, body: space } = answer(view);
    return { headers, body: { ...space, previous_url: previousUrl } };
  });

  binder.bind(listing.recaptureSpace, async ({ caller, body }) => {
    const { take, requestedAt } = await recapture(platform, requireActive(caller), body.slug);
    return { body: { requested_at: toTimestamp(requestedAt), take } };
  });
}
