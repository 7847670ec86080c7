import { deviceIntervalSeconds } from '@spaceport/contract/account';
import { type Scope, usualScopes } from '@spaceport/contract/scopes';
import type { Platform } from '../../platform/context.ts';
import { isUniqueViolation } from '../../platform/db/failures.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/secrets/id.ts';
import { hashSecret, issueSecret, secretKind } from '../../platform/secrets/secret.ts';
import { type Creator, findCreator } from '../accounts.queries.ts';
import type { Limits } from '../limits.ts';
import { findOwnSpaceById } from '../own-spaces.queries.ts';
import { scopesFromText, scopesToText, type TokenReach } from '../token-reach.ts';
import type { IssuedToken, Tokens } from '../tokens.ts';
import {
  type DeviceLoginRow,
  findByDeviceHash,
  insertLogin,
  notePoll,
  spendLogin,
} from './device-logins.queries.ts';
import { newUserCode, showUserCode } from './user-code.ts';

export interface StartedLogin {
  readonly deviceCode: string;
  /** `WDJB-MJHT` */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** A device's name, and what it asks its token to be for. */
export interface DeviceWish {
  readonly clientName: string | null;
  /** The usual ones if absent. */
  readonly scopes: readonly Scope[] | undefined;
  /** The slug of the one space that the token is to be for; null for all. */
  readonly space: string | null;
}

/** The device's half of signing in by RFC 8628; the creator's half is in approvals.ts. */
export interface DeviceLogins {
  /** @throws `rate_limited` */
  start(wish: DeviceWish, address: string): Promise<StartedLogin>;
  /**
   * Returns the token, once.
   * @throws `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, and `invalid_grant` for a
   * code that is unknown or was exchanged (RFC 8628 §3.5, RFC 6749 §5.2)
   */
  exchange(deviceCode: string): Promise<IssuedToken & TokenReach & { readonly creator: Creator }>;
}

const slowerBySeconds = 5;
/** A poll that was sent on time may arrive a little early. */
const toleranceMs = 500;
const codeAttempts = 5;

export function createDeviceLogins(platform: Platform, tokens: Tokens, limits: Limits): DeviceLogins {
  const { database, clock, config } = platform;

  /**
   * Returns the outcome of a poll. A refusal is returned and not thrown, so that its writes are committed.
   */
  async function poll(
    tx: Tx,
    deviceHash: string,
  ): Promise<Awaited<ReturnType<DeviceLogins['exchange']>> | ServiceError> {
    // Simultaneous polls of one device are handled one after the other.
    await tx.lock(`device:${deviceHash}`);
    const login = await findByDeviceHash(tx, deviceHash);
    const now = clock.now();
    if (!login || login.status === 'exchanged') return wrongCode();
    if (login.expires_at <= now) {
      return new ServiceError('expired_token', 'The device code has expired; start again.');
    }
    if (login.status === 'denied') return new ServiceError('access_denied', 'The creator refused.');
    if (login.status === 'pending') return waitLonger(tx, login, now);
    const creator = login.creator_id === null ? undefined : await findCreator(tx.db, login.creator_id);
    if (!creator || creator.bannedAt !== null) {
      return new ServiceError('access_denied', 'The account cannot sign in.');
    }
    if (!(await spendLogin(tx, login.id))) return wrongCode();
    const scopes = scopesFromText(login.scopes);
    const spaceId = login.space_id;
    const space = spaceId === null ? null : await findOwnSpaceById(tx.db, creator.id, spaceId);
    // If the creator no longer has the space, no token is issued.
    if (space === undefined) return new ServiceError('access_denied', 'The space of this sign-in is gone.');
    const issued = await tokens.issue(creator.id, { name: login.client_name, scopes, spaceId }, tx.db);
    return { ...issued, scopes, space, creator };
  }

  return {
    async start({ clientName, scopes = usualScopes, space }, address) {
      await limits.deviceLogin(address);
      const deviceCode = issueSecret('device');
      const now = clock.now();
      const login = {
        id: newId('dev'),
        device_hash: hashSecret(deviceCode),
        client_name: clientName,
        address,
        status: 'pending',
        interval_seconds: deviceIntervalSeconds,
        polled_at: null,
        creator_id: null,
        scopes: scopesToText(scopes),
        asked_space: space,
        created_at: now,
        expires_at: now + config.DEVICE_CODE_SECONDS * 1000,
      } as const;
      for (let attempt = 1; ; attempt++) {
        const userCode = newUserCode();
        try {
          await insertLogin(database.db, { ...login, user_code: userCode });
        } catch (error) {
          if (isUniqueViolation(error) && attempt < codeAttempts) continue;
          throw error;
        }
        return {
          deviceCode,
          userCode: showUserCode(userCode),
          expiresInSeconds: config.DEVICE_CODE_SECONDS,
          intervalSeconds: deviceIntervalSeconds,
        };
      }
    },

    async exchange(deviceCode) {
      if (secretKind(deviceCode) !== 'device') throw wrongCode();
      const answer = await database.transaction((tx) => poll(tx, hashSecret(deviceCode)));
      if (answer instanceof ServiceError) throw answer;
      return answer;
    },
  };
}

async function waitLonger(tx: Tx, login: DeviceLoginRow, now: number): Promise<ServiceError> {
  const { polled_at: polledAt, interval_seconds: interval } = login;
  const early = polledAt !== null && now - polledAt < interval * 1000 - toleranceMs;
  await notePoll(tx, login.id, now, early ? interval + slowerBySeconds : interval);
  return early
    ? new ServiceError(
        'slow_down',
        `Asked too often; wait ${interval + slowerBySeconds} seconds between polls.`,
        {
          interval: interval + slowerBySeconds,
        },
      )
    : new ServiceError('authorization_pending', 'The creator has not decided yet.');
}

function wrongCode(): ServiceError {
  return new ServiceError('invalid_grant', 'The device code is unknown or was exchanged already.');
}
