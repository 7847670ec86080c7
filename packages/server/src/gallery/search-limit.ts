import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { requireTaken, TokenBuckets } from '../platform/limits/token-buckets.ts';

/**
 * Counts a search of the gallery by its network. A search costs ten times what a list does.
 * @throws `rate_limited`
 */
export function createSearchLimit({ config, clock }: Platform): (address: string) => void {
  const searches = new TokenBuckets(config.SEARCHES_PER_MINUTE, clock);
  return (address) =>
    requireTaken([searches.take(networkOf(address))], 'Too many searches; try again shortly.');
}
