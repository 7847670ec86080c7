import type { Platform } from '../../platform/context.ts';
import type { LiveSecrets } from '../../platform/secrets/live-secrets.ts';
import { findLiveDeviceHashes } from './device-logins.queries.ts';

/** Device codes that may still be exchanged for a token: not yet, not refused, and not past their time. */
export function liveDeviceCodes({ database, clock }: Pick<Platform, 'database' | 'clock'>): LiveSecrets {
  return async (hashes) => new Set(await findLiveDeviceHashes(database.db, hashes, clock.now()));
}
