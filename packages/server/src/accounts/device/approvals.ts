import type { Scope } from '@spaceport/contract/scopes';
import type { Platform } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import { SharedBuckets } from '../../platform/limits/shared-buckets.ts';
import { invalidField } from '../credentials.ts';
import { findOwnSpace } from '../own-spaces.queries.ts';
import { requireGrantable } from '../own-tokens.ts';
import { findCodeLock, setCodeLock } from '../sign-in/sessions.queries.ts';
import type { Session } from '../sign-in/sessions.ts';
import { requireStanding } from '../standing.ts';
import { scopesFromText, scopesToText } from '../token-reach.ts';
import { type DeviceLoginRow, decideLogin, findByUserCode } from './device-logins.queries.ts';
import { readUserCode, showUserCode } from './user-code.ts';

/** A device's request as its creator sees it. */
export interface DeviceRequest {
  /** `WDJB-MJHT` */
  readonly userCode: string;
  readonly clientName: string | null;
  /** The network address that the request came from. */
  readonly address: string;
  readonly askedAt: number;
  /** The scopes that the device asks for. */
  readonly scopes: readonly Scope[];
  /** The slug of the one space that the token is to be for; null for all spaces. */
  readonly space: string | null;
}

/** The creator's decision. */
export interface Decision {
  readonly approve: boolean;
  /** The granted scopes out of those asked for; if absent, all but `operate`. */
  readonly scopes?: readonly Scope[] | undefined;
}

/**
 * The creator's half of a device sign-in. Both calls throw `not_found` for an unknown code; `conflict` for
 * one that was decided, has expired or is for a space that the creator does not have; and `rate_limited`
 * after five wrong codes in the session.
 */
export interface Approvals {
  find(session: Session, typedCode: string): Promise<DeviceRequest>;
  /**
   * Finds a request for an opened address. A wrong code does not count here, because any page can make a
   * browser open an address.
   */
  open(session: Session, code: string): Promise<DeviceRequest>;
  /**
   * @throws `invalid` for scopes that were not asked for, `forbidden` for `operate` if the creator is not an
   * operator, and `unauthorized` if the session has ended
   */
  decide(session: Session, typedCode: string, decision: Decision): Promise<DeviceRequest>;
}

const maxWrongCodes = 5;
const lockMs = 15 * 60_000;
/** Nobody finds a code by opening addresses: there are 25 thousand million. */
const openedPerMinute = 20;

export function createApprovals({
  database,
  clock,
  together,
}: Pick<Platform, 'database' | 'clock' | 'together'>): Approvals {
  const opened = new SharedBuckets(together, 'opened device codes', openedPerMinute);

  /**
   * Returns the waiting login of a code. A refusal is returned and not thrown, so that the count of
   * wrong codes is committed.
   */
  async function look(
    tx: Tx,
    session: Session,
    typedCode: string,
    counts = true,
  ): Promise<DeviceLoginRow | ServiceError> {
    await tx.lock(`codes:${session.id}`);
    const now = clock.now();
    const { wrong, until } = await findCodeLock(tx, session.id);
    if (until !== null && until > now) return locked(until - now);
    const code = readUserCode(typedCode);
    const login = code === null ? undefined : await findByUserCode(tx, code);
    if (!login) {
      if (!counts) return wrongCode();
      const lockedNow = wrong + 1 >= maxWrongCodes;
      await setCodeLock(
        tx,
        session.id,
        lockedNow ? { wrong: 0, until: now + lockMs } : { wrong: wrong + 1, until },
      );
      return lockedNow ? locked(lockMs) : wrongCode();
    }
    if (login.expires_at <= now)
      return new ServiceError('conflict', 'That code has expired. Start the sign-in again.');
    if (login.status !== 'pending') return usedCode();
    return login;
  }

  async function within<T>(work: (tx: Tx) => Promise<T | ServiceError>): Promise<T> {
    const answer = await database.transaction(work);
    if (answer instanceof ServiceError) throw answer;
    return answer;
  }

  const found = (session: Session, typedCode: string, counts: boolean) =>
    within(async (tx) => {
      const login = await look(tx, session, typedCode, counts);
      if (login instanceof ServiceError) return login;
      const space = await askedSpace(tx, session, login);
      return space instanceof ServiceError ? space : toRequest(login);
    });

  return {
    find: (session, typedCode) => found(session, typedCode, true),

    async open(session, code) {
      const waitSeconds = await opened.take(session.id);
      if (waitSeconds !== null) throw locked(waitSeconds * 1000);
      return found(session, code, false);
    },

    decide: (session, typedCode, { approve, scopes }) =>
      within(async (tx) => {
        const login = await look(tx, session, typedCode);
        if (login instanceof ServiceError) return login;
        await requireStanding(tx, session);
        const creatorId = session.creator.id;
        const asked = toRequest(login);
        if (!approve) {
          return (await decideLogin(tx, login.id, { status: 'denied', creatorId })) ? asked : usedCode();
        }
        const space = await askedSpace(tx, session, login);
        if (space instanceof ServiceError) return space;
        const given = grantOf(asked, scopes, session);
        const decision = {
          status: 'approved',
          creatorId,
          scopes: scopesToText(given),
          spaceId: space?.id ?? null,
        } as const;
        return (await decideLogin(tx, login.id, decision)) ? { ...asked, scopes: given } : usedCode();
      }),
  };
}

/** Returns the one space of the creator that the token is to be for; null if it is to be for all. */
async function askedSpace(tx: Tx, { creator }: Session, { asked_space: slug }: DeviceLoginRow) {
  if (slug === null) return null;
  const space = await findOwnSpace(tx.db, creator.id, slug);
  return (
    space ??
    new ServiceError(
      'conflict',
      `It asks for the space «${slug}», and you have no such space. Start the sign-in again for one of yours.`,
    )
  );
}

/** Returns the scopes to grant out of those asked for. `operate` must be chosen by name, by an operator. */
function grantOf(
  asked: DeviceRequest,
  chosen: readonly Scope[] | undefined,
  { creator }: Session,
): readonly Scope[] {
  if (chosen === undefined) {
    const usual = asked.scopes.filter((scope) => scope !== 'operate');
    if (usual.length === 0)
      throw invalidField('scopes', 'must name operate, because that scope is never given by default');
    return usual;
  }
  if (chosen.some((scope) => !asked.scopes.includes(scope))) {
    throw invalidField('scopes', 'can only name what was asked for');
  }
  requireGrantable(chosen, { operator: creator.operator, oneSpace: asked.space !== null });
  return chosen;
}

function usedCode(): ServiceError {
  return new ServiceError('conflict', 'That code has been used already.');
}

function toRequest(login: DeviceLoginRow): DeviceRequest {
  return {
    userCode: showUserCode(login.user_code),
    clientName: login.client_name,
    address: login.address,
    askedAt: login.created_at,
    scopes: scopesFromText(login.scopes),
    space: login.asked_space,
  };
}

function wrongCode(): ServiceError {
  return new ServiceError('not_found', 'That code is wrong. Compare it with the one that the device shows.');
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
