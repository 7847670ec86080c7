import { type recaptureSpace, recapturesPerHour } from '@spaceport/contract/listing';
import type { BodyOf } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { requestClip, setClipMoment } from '../spaces/clips.ts';
import { ownView } from '../spaces/space-view.ts';
import { requireUnfrozen } from '../spaces/spaces.ts';
import { requestPageSync } from './page-sync.ts';

export interface RequestedClip {
  readonly take: number;
  readonly requestedAt: number;
  /** Seconds after the page has loaded. */
  readonly afterSeconds: number;
}

/**
 * Requests a new picture for the owner of a space.
 * @param canTakePictures resolves to false if this server cannot take pictures; it may
 * start a browser to find out
 * @throws `not_found`, `removed`, `held`, `rate_limited` and `failed`
 */
export async function recapture(
  { database, clock }: Platform,
  caller: CreatorCaller,
  { slug, after_seconds }: BodyOf<typeof recaptureSpace>,
  canTakePictures: () => Promise<boolean>,
): Promise<RequestedClip> {
  const space = await ownView(database.db, slug, caller);
  requireUnfrozen(space);
  if (!(await canTakePictures())) throw noBrowser();
  const now = clock.now();
  const limit = { count: recapturesPerHour, seconds: 3600 };
  const take = await database.transaction(async (tx) => {
    if (after_seconds !== undefined) await setClipMoment(tx, space.id, after_seconds);
    const take = await requestClip(tx, space);
    if (take === null) throw noBrowser();
    await requireWithin(
      tx,
      `clip:${space.id}`,
      limit,
      `The space used its ${limit.count} new pictures of the hour.`,
    );
    if (space.hosted === 0) await requestPageSync(tx, space.id, now);
    return take;
  });
  return { take, requestedAt: now, afterSeconds: after_seconds ?? space.clip_after_seconds };
}

function noBrowser(): ServiceError {
  return new ServiceError('failed', 'This server has no browser, so it cannot take pictures.');
}
