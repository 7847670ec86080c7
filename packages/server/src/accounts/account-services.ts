import type { Platform } from '../platform/context.ts';
import { type Accounts, createAccounts, type Renamed } from './accounts.ts';
import { type Approvals, createApprovals } from './device/approvals.ts';
import { createDeviceLogins, type DeviceLogins } from './device/device-logins.ts';
import { createLimits, type Limits } from './limits.ts';
import { createOwnTokens, type OwnTokens } from './own-tokens.ts';
import { createPasskeyCeremonies, type PasskeyCeremonies } from './passkey-ceremonies.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import type { PasswordCost } from './password-hash.ts';
import { createSessions, type Sessions } from './sign-in/sessions.ts';
import { createSignIn, type SignIn } from './sign-in/sign-in.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** All services for accounts, built once over the platform. */
export interface AccountServices {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly ownTokens: OwnTokens;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly signIn: SignIn;
  readonly passkeys: Passkeys;
  readonly passkeyCeremonies: PasskeyCeremonies;
  readonly deviceLogins: DeviceLogins;
  readonly approvals: Approvals;
}

/** @param passwordCost the hashing cost of new passwords; the usual one if absent */
export function createAccountServices(
  platform: Platform,
  renamed: Renamed,
  passwordCost?: PasswordCost,
): AccountServices {
  const tokens = createTokens(platform);
  const sessions = createSessions(platform);
  const limits = createLimits(platform);
  return {
    accounts: createAccounts(platform, renamed),
    tokens,
    ownTokens: createOwnTokens(platform, tokens),
    sessions,
    limits,
    signIn: createSignIn(platform, sessions, limits, passwordCost),
    passkeys: createPasskeys(platform),
    passkeyCeremonies: createPasskeyCeremonies(platform, sessions),
    deviceLogins: createDeviceLogins(platform, tokens, limits),
    approvals: createApprovals(platform),
  };
}
