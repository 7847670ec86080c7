import { passkey } from '@better-auth/passkey';
import { minPasswordLength } from '@spaceport/contract/sign-in';
import { betterAuth } from 'better-auth/minimal';
import type { Platform } from '../../platform/context.ts';
import { newId } from '../../platform/secrets/id.ts';
import { maxPasswordLength } from '../credentials.ts';
import { createAuthAdapter } from './auth-adapter.ts';
import { linkSeconds } from './messages.ts';
import { cookiePrefix, newSessionToken, sessionCookieName, sessionsTable } from './session-token.ts';

export interface AuthHooks {
  /** A session is about to be made: may this creator have one? */
  maySignIn(creatorId: string): Promise<boolean>;
  sendResetLink(email: string, token: string): Promise<void>;
  passwordWasReset(creatorId: string): Promise<void>;
}

/**
 * better-auth over our tables, for what it does well: checking passwords, sessions and their cookies, links in mail,
 * passkeys. Its users are our `creators`. Accounts are made by us, in one transaction (accounts.ts), and its own
 * routes are not mounted but for the passkeys'; its rate limits count in one process, so ours stand before it.
 */
export function createAuth(
  platform: Pick<Platform, 'config' | 'database' | 'clock' | 'log'>,
  secret: string,
  hooks: AuthHooks,
) {
  const { config, database, clock, log } = platform;
  const origin = config.BASE_URL;
  const { prefix, secure } = cookiePrefix(origin);
  const named = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
  return betterAuth({
    appName: 'Spaceport',
    baseURL: origin,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [origin],
    database: createAuthAdapter(database),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // So that a database that is away is not taken for a fault of its own.
    onAPIError: { throw: true },
    logger: {
      // Messages only: what follows them may hold addresses of people.
      log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ from: 'better-auth' }, message),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
      resetPasswordTokenExpiresIn: linkSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) => hooks.sendResetLink(user.email, token),
      onPasswordReset: ({ user }) => hooks.passwordWasReset(user.id),
    },
    user: { modelName: 'creators', fields: { ...named, emailVerified: 'email_verified' } },
    session: {
      modelName: sessionsTable,
      fields: {
        ...named,
        userId: 'creator_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      expiresIn: config.SESSION_SECONDS,
      disableSessionRefresh: true,
    },
    account: {
      modelName: 'auth_accounts',
      fields: { ...named, userId: 'creator_id', accountId: 'account_id', providerId: 'provider_id' },
    },
    verification: {
      modelName: 'auth_verifications',
      fields: { ...named, expiresAt: 'expires_at' },
      storeIdentifier: 'hashed',
    },
    plugins: [
      passkey({
        rpName: 'Spaceport',
        rpID: new URL(origin).hostname,
        origin,
        advanced: { webAuthnChallengeCookie: 'passkey_challenge' },
        schema: {
          passkey: {
            modelName: 'auth_passkeys',
            fields: {
              publicKey: 'public_key',
              userId: 'creator_id',
              credentialID: 'credential_id',
              deviceType: 'device_type',
              backedUp: 'backed_up',
              createdAt: 'created_at',
            },
          },
        },
      }),
    ],
    databaseHooks: {
      verification: {
        create: {
          before: async ({ expiresAt }) => ({
            data: { expiresAt: new Date(clock.now() + expiresAt.getTime() - Date.now()) },
          }),
        },
      },
      session: {
        create: {
          before: async (session) => {
            if (!(await hooks.maySignIn(session.userId))) return false;
            const now = clock.now();
            return {
              data: {
                token: newSessionToken(),
                createdAt: new Date(now),
                expiresAt: new Date(now + config.SESSION_SECONDS * 1000),
              },
            };
          },
        },
      },
    },
    advanced: {
      // The prefix says it all: better-auth would add one of its own.
      useSecureCookies: false,
      cookiePrefix: prefix,
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
      cookies: { session_token: { name: sessionCookieName(origin) } },
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => newId('auth') },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
