import { createHash } from 'node:crypto';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Urls } from '../platform/urls.ts';
import { releaseAddresses, spaceAt, takeAddress } from '../spaces/spaces.ts';
import { duplicate } from './listing-errors.ts';
import { normaliseUrl } from './web-address.ts';

/**
 * Returns a key that all spellings of one address share. It is a hash, because an index
 * cannot hold long addresses.
 */
export function urlKey(address: string): string {
  return createHash('sha256').update(normaliseUrl(address)).digest('hex');
}

/**
 * Gives the space exactly these addresses.
 * @throws `duplicate` if another space has one of them
 */
export async function takeAddresses(
  urls: Urls,
  tx: Tx,
  spaceId: SpaceId,
  keys: ReadonlySet<string>,
): Promise<void> {
  await releaseAddresses(tx, spaceId);
  // Always in the same order, so that two requests for the same addresses cannot block each other.
  for (const key of [...keys].sort()) {
    if (await takeAddress(tx, key, spaceId)) continue;
    const other = await spaceAt(tx.db, key);
    if (other) throw duplicate(urls.page(other.slug));
    throw new ServiceError('failed', 'Another space is giving up this address right now; try again.');
  }
}
