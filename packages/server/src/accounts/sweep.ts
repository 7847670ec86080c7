import type { Platform } from '../platform/context.ts';
import { deleteClosed } from './close-account.queries.ts';
import { sweepLogins } from './device/device-logins.queries.ts';
import { sweepSecrets } from './sign-in/one-time-secrets.queries.ts';
import { sweepSessions } from './sign-in/sessions.queries.ts';

/** Deletes what has expired: sessions, links, device codes, and closed accounts that own nothing any more. */
export async function sweepAccounts({
  database,
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await sweepSessions(database.db, clock.now());
  await sweepSecrets(database.db, clock.now());
  await sweepLogins(database.db, clock.now());
  await deleteClosed(database.db);
}
