import type { Platform } from '../platform/context.ts';
import type { LiveSecrets } from '../platform/secrets/live-secrets.ts';
import { findLiveClaimHashes } from './unlisted.queries.ts';

/** Returns a check for claim tokens that still open a page: neither spent nor expired. */
export function liveClaims({ database, clock }: Pick<Platform, 'database' | 'clock'>): LiveSecrets {
  return async (hashes) => new Set(await findLiveClaimHashes(database.db, hashes, clock.now()));
}
