import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import type { Soon } from '../platform/when-known.ts';

/**
 * Creates the limit for searches of the gallery by network. Searches on pages and in the API are counted
 * separately. A search costs ten times as much as a list.
 * @throws `rate_limited`
 */
export function createSearchLimit(
  { config, together }: Platform,
  by: 'pages' | 'the API',
): (address: string) => Soon<void> {
  const searches = new SharedBuckets(together, `searches by ${by}`, config.SEARCHES_PER_MINUTE);
  return (address) =>
    requireTaken([searches.take(networkOf(address))], 'Too many searches; try again shortly.');
}
