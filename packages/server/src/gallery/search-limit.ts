import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';

/**
 * Counts a search of the gallery by its network, those of pages apart from those of the API. A search costs ten times what a
 * list does.
 * @throws `rate_limited`
 */
export function createSearchLimit(
  { config, together }: Platform,
  by: 'pages' | 'the API',
): (address: string) => Promise<void> {
  const searches = new SharedBuckets(together, `searches by ${by}`, config.SEARCHES_PER_MINUTE);
  return (address) =>
    requireTaken([searches.take(networkOf(address))], 'Too many searches; try again shortly.');
}
