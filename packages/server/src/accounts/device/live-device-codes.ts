import type { Platform } from '../../platform/context.ts';
import type { LiveSecrets } from '../../platform/secrets/live-secrets.ts';
import { findLiveDeviceHashes } from './device-logins.queries.ts';

/**
 * Returns a check for device codes that can still be exchanged for a token: not
 * exchanged, refused or expired.
 */
export function liveDeviceCodes({ database, clock }: Pick<Platform, 'database' | 'clock'>): LiveSecrets {
  return async (hashes) => new Set(await findLiveDeviceHashes(database.db, hashes, clock.now()));
}
