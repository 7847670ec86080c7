import { countPlay } from '@spaceport/contract/plays';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import { createPlays } from './plays.ts';

/** Counts plays for the page of a space, as its frame is started. */
export function bindPlays(binder: Binder, platform: Platform): void {
  const plays = createPlays(platform);
  binder.bind(countPlay, async ({ params, headers, address }) => {
    // A space in its frame, or a program, has no say in how often it was played.
    if (senderOf(headers, platform.urls.app) !== 'same-origin')
      throw new ServiceError('cross_site', 'Plays are counted by the page of the space.');
    const visitor = { address, userAgent: headers['user-agent'] ?? '' };
    return { body: { counted: await plays.count(params.slug, visitor) } };
  });
}
