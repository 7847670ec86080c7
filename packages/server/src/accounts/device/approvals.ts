import type { Platform } from '../../platform/context.ts';
import { lock } from '../../platform/db/dialect.ts';
import type { Tx } from '../../platform/db/schema.ts';
import { ServiceError } from '../../platform/errors.ts';
import { findCodeLock, setCodeLock } from '../sign-in/sessions.queries.ts';
import type { Session } from '../sign-in/sessions.ts';
import { type DeviceLoginRow, decideLogin, findByUserCode } from './device-logins.queries.ts';
import { readUserCode, showUserCode } from './user-code.ts';

/** What a device asks for, as its creator is shown it. */
export interface DeviceRequest {
  /** `WDJB-MJHT` */
  readonly userCode: string;
  readonly clientName: string | null;
  /** Where it asked from. */
  readonly address: string;
  readonly askedAt: number;
}

/**
 * The creator's half of a device sign-in. Both calls throw `not_found` for a code that nobody waits with, `conflict`
 * for one that was decided or has expired, and `rate_limited` once five wrong ones were typed in the session.
 */
export interface Approvals {
  find(session: Session, typedCode: string): Promise<DeviceRequest>;
  decide(session: Session, typedCode: string, approve: boolean): Promise<DeviceRequest>;
}

const maxWrongCodes = 5;
const lockMs = 15 * 60_000;

export function createApprovals({ database, clock }: Pick<Platform, 'database' | 'clock'>): Approvals {
  /** The waiting login of a code. Refusals are answers, so that a wrong code stays counted. */
  async function look(tx: Tx, session: Session, typedCode: string): Promise<DeviceLoginRow | ServiceError> {
    await lock(tx, `codes:${session.id}`);
    const now = clock.now();
    const { wrong, until } = await findCodeLock(tx, session.id);
    if (until !== null && until > now) return locked(until - now);
    const code = readUserCode(typedCode);
    const login = code === null ? undefined : await findByUserCode(tx, code);
    if (!login) {
      const lockedNow = wrong + 1 >= maxWrongCodes;
      await setCodeLock(
        tx,
        session.id,
        lockedNow ? { wrong: 0, until: now + lockMs } : { wrong: wrong + 1, until },
      );
      return lockedNow
        ? locked(lockMs)
        : new ServiceError('not_found', 'That code is wrong. Look at it again where it is shown.');
    }
    if (login.expires_at <= now)
      return new ServiceError('conflict', 'That code has expired. Start the sign-in again.');
    if (login.status !== 'pending') return new ServiceError('conflict', 'That code has been used already.');
    return login;
  }

  async function within<T>(work: (tx: Tx) => Promise<T | ServiceError>): Promise<T> {
    const answer = await database.transaction(work);
    if (answer instanceof ServiceError) throw answer;
    return answer;
  }

  return {
    find: (session, typedCode) =>
      within(async (tx) => {
        const login = await look(tx, session, typedCode);
        return login instanceof ServiceError ? login : toRequest(login);
      }),

    decide: (session, typedCode, approve) =>
      within(async (tx) => {
        const login = await look(tx, session, typedCode);
        if (login instanceof ServiceError) return login;
        const decision = { status: approve ? 'approved' : 'denied', creatorId: session.creator.id } as const;
        if (await decideLogin(tx, login.id, decision)) return toRequest(login);
        return new ServiceError('conflict', 'That code has been used already.');
      }),
  };
}

function toRequest(login: DeviceLoginRow): DeviceRequest {
  return {
    userCode: showUserCode(login.user_code),
    clientName: login.client_name,
    address: login.address,
    askedAt: login.created_at,
  };
}

function locked(leftMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(leftMs / 1000);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new ServiceError(
    'rate_limited',
    `Too many wrong codes. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    { retryAfterSeconds },
  );
}
