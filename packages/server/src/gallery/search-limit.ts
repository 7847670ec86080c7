import type { Clock } from '../platform/clock/clock.ts';
import { ServiceError } from '../platform/errors.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { TokenBuckets } from '../platform/limits/token-buckets.ts';

/** Of one network: each search looks at every space, on the thread that serves everybody. */
const searchesPerMinute = 60;

/**
 * Counts a search of the gallery.
 * @throws `rate_limited`
 */
export function createSearchLimit(clock: Clock): (address: string) => void {
  const searches = new TokenBuckets(searchesPerMinute, clock);
  return (address) => {
    const retryAfterSeconds = searches.take(networkOf(address));
    if (retryAfterSeconds === null) return;
    throw new ServiceError('rate_limited', 'Too many searches; try again shortly.', { retryAfterSeconds });
  };
}
