import type { FoundDevice, OwnPasskey, OwnSession } from '@spaceport/contract/account-access';
import type { OwnAccount } from '@spaceport/contract/own-account';
import type { OwnToken } from '@spaceport/contract/own-tokens';
import type { Scope } from '@spaceport/contract/scopes';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { SessionId } from '../platform/db/ids.ts';
import type { Urls } from '../platform/urls.ts';
import type { DeviceRequest } from './device/approvals.ts';
import type { ListedPasskey } from './passkeys.ts';
import type { ListedSession, Session } from './sign-in/sessions.ts';
import type { TokenReach } from './token-reach.ts';
import type { ListedToken } from './tokens.ts';

/** Returns an account as its owner reads it, from the API and in the document of the settings. */
export function toOwnAccount(
  urls: Pick<Urls, 'creator'>,
  { creator, email, emailVerified }: Session,
): OwnAccount {
  const { name, handle, operator, createdAt } = creator;
  return {
    name,
    handle,
    url: handle === null ? null : urls.creator(handle),
    email,
    email_verified: emailVerified,
    operator,
    created_at: toTimestamp(createdAt),
  };
}

/** Returns the scopes and the space of a token, as answers show them. */
export function toTokenReach({ scopes, space }: TokenReach): { scopes: Scope[]; space: string | null } {
  return { scopes: [...scopes], space: space?.slug ?? null };
}

export function toOwnToken(token: ListedToken): OwnToken {
  const { id, clientName, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    client_name: clientName,
    ...toTokenReach(token),
    created_at: toTimestamp(createdAt),
    expires_at: toTimestamp(expiresAt),
    last_used_at: lastUsedAt === null ? null : toTimestamp(lastUsedAt),
  };
}

export function toOwnPasskey({ id, name, createdAt }: ListedPasskey): OwnPasskey {
  return { id, name, created_at: createdAt === null ? null : toTimestamp(createdAt) };
}

/** @param currentId the session of the browser that asks */
export function toOwnSession(
  { id, userAgent, createdAt, expiresAt }: ListedSession,
  currentId: SessionId,
): OwnSession {
  return {
    id,
    user_agent: userAgent,
    current: id === currentId,
    created_at: toTimestamp(createdAt),
    expires_at: toTimestamp(expiresAt),
  };
}

export function toDeviceRequest({
  userCode,
  clientName,
  address,
  askedAt,
  scopes,
  space,
}: DeviceRequest): Omit<FoundDevice, 'your_address'> {
  return {
    user_code: userCode,
    client_name: clientName,
    address,
    asked_at: toTimestamp(askedAt),
    scopes: [...scopes],
    space,
  };
}

/**
 * Returns the device that waits with a code, as shown to the browser that is to approve it.
 * @param address the network address of that browser
 */
export function toFoundDevice(asked: DeviceRequest, address: string): FoundDevice {
  return { ...toDeviceRequest(asked), your_address: address };
}
