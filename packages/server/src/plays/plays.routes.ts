import { countPlay } from '@spaceport/contract/plays';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import { playableSpace } from '../players/playable.ts';
import type { Plays } from './plays.ts';
import { visitorOf } from './visits.ts';

/** Counts plays for the page of a space, as its frame is started. */
export function bindPlays(binder: Binder, platform: Platform, plays: Plays): void {
  binder.bind(countPlay, async ({ params, headers, address }) => {
    // A space in its frame, or a program, has no say in how often it was played.
    if (senderOf(headers, platform.urls.app) !== 'same-origin')
      throw new ServiceError('cross_site', 'Plays are counted by the page of the space.');
    // Nobody's account: what its owner alone may open is not played.
    const { id } = await playableSpace(platform, params.slug, null);
    return { body: { counted: await plays.count(id, visitorOf(headers, address)) } };
  });
}
