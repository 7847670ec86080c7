import { createHash } from 'node:crypto';
import type { Platform } from '../platform/context.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { forgetUses, type RateLimit, requireWithin } from '../platform/limits/rate-limit.ts';

const signInSeconds = 15 * 60;
const hour = 3600;
/**
 * The factor for limits of one side alone: an address may be a whole school's, and a person may
 * sign in from many addresses.
 */
const wider = 10;

/**
 * Limits of what a person may try, counted exactly on both engines and across processes.
 * Each throws `rate_limited`.
 */
export interface Limits {
  signIn(email: string, address: string): Promise<void>;
  /** Forgets the earlier tries after a right password. */
  signedIn(email: string, address: string): Promise<void>;
  /** Limits sign-ins without an e-mail address, as with a passkey. */
  signInFrom(address: string): Promise<void>;
  /** Limits challenges for passkeys, because each is a row of the database. */
  passkeyOptions(address: string): Promise<void>;
  signUp(address: string): Promise<void>;
  mail(email: string, address: string): Promise<void>;
  deviceLogin(address: string): Promise<void>;
}

export function createLimits({ database, config }: Pick<Platform, 'database' | 'config'>): Limits {
  const tries: RateLimit = { count: config.SIGN_IN_TRIES, seconds: signInSeconds };
  const manyTries: RateLimit = { count: config.SIGN_IN_TRIES * wider, seconds: signInSeconds };
  const mails: RateLimit = { count: config.MAILS_PER_HOUR, seconds: hour };
  const fromAddress = (address: string) => `sign-in:from:${networkOf(address)}`;
  const pair = (email: string, address: string) => `sign-in:${digest(email)}:${networkOf(address)}`;

  /** Takes one from each limit, or from none. */
  const take = (what: string, ...limits: readonly [bucket: string, limit: RateLimit][]) =>
    database.transaction(async (tx) => {
      for (const [bucket, limit] of limits) {
        await requireWithin(tx, bucket, limit, (retryAfterSeconds) => {
          const minutes = Math.ceil(retryAfterSeconds / 60);
          return `Too many ${what}; try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`;
        });
      }
    });

  return {
    signIn: (email, address) =>
      take(
        'tries to sign in',
        [pair(email, address), tries],
        [`sign-in:${digest(email)}`, manyTries],
        [fromAddress(address), manyTries],
      ),
    async signedIn(email, address) {
      await forgetUses(database.db, pair(email, address));
    },
    signInFrom: (address) => take('tries to sign in', [fromAddress(address), manyTries]),
    passkeyOptions: (address) =>
      take('passkey sign-ins', [`passkey-options:${networkOf(address)}`, manyTries]),
    signUp: (address) =>
      take('new accounts', [
        `sign-up:${networkOf(address)}`,
        { count: config.SIGN_UPS_PER_HOUR, seconds: hour },
      ]),
    mail: (email, address) =>
      take(
        'messages',
        [`mail:${digest(email)}`, mails],
        [`mail:from:${networkOf(address)}`, { ...mails, count: mails.count * wider }],
      ),
    deviceLogin: (address) =>
      take('device sign-ins', [
        `device-login:${networkOf(address)}`,
        { count: config.DEVICE_LOGINS_PER_HOUR, seconds: hour },
      ]),
  };
}

/** Buckets are kept for a day after their use, so their names must not show whom they are about. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}
