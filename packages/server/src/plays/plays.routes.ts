import { countPlay } from '@spaceport/contract/plays';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import { playableSpace } from '../players/playable.ts';
import type { Plays } from './plays.ts';
import { visitorOf } from './visits.ts';

/** Counts plays for the page of a space, when its frame starts. */
export function bindPlays(binder: Binder, platform: Platform, plays: Plays): void {
  binder.bind(countPlay, async ({ params, headers, address }) => {
    // A space in its frame, or a program, must not be able to count plays.
    if (senderOf(headers, platform.urls.app) !== 'same-origin')
      throw new ServiceError('cross_site', 'Only the page of the space can count plays.');
    // No account is given: opening a space that only its owner may open is not a play.
    const { id } = await playableSpace(platform, params.slug, null);
    return { body: { counted: await plays.count(id, visitorOf(headers, address)) } };
  });
}
