import type { Platform } from '../platform/context.ts';
import { deleteClosed } from './close-account.queries.ts';
import { sweepLogins } from './device/device-logins.queries.ts';
import { sweepSecrets } from './sign-in/one-time-secrets.queries.ts';
import { sweepSessions } from './sign-in/sessions.queries.ts';

/** Drops what has expired: sessions, links, device codes, and accounts that are closed and own nothing any more. */
export async function sweepAccounts({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await sweepSessions(database.db, clock.now());
  await sweepSecrets(database.db, clock.now());
  await sweepLogins(database.db, clock.now());
  await deleteClosed(database.db);
}
