import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/context.ts';
import type { AccountId, SessionId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readCookie, toSetCookie } from '../../platform/http/cookies.ts';
import { decodeCursor, pageOf } from '../../platform/http/cursor.ts';
import { askOperators } from '../../platform/mail/contact.ts';
import { isBanned } from '../ban.ts';
import {
  cookiePrefix,
  hashSessionToken,
  newSessionToken,
  sessionCookieName,
  tokenInCookie,
} from './session-token.ts';
import {
  deleteOtherSessions,
  deleteOwnSession,
  deleteSession,
  deleteSessionOfToken,
  findListedSession,
  findSession,
  insertSession,
  type ListedSession,
  listOtherSessions,
  type Session,
} from './sessions.queries.ts';

export type { ListedSession, Session } from './sessions.queries.ts';

export interface Sessions {
  /** Returns whether the request has a session cookie, valid or not. */
  hasCookie(headers: IncomingHttpHeaders): boolean;
  /**
   * Returns the session of the browser that sent the request; null if it is not signed in. It is read from
   * the database every time, because a session must end at once.
   */
  find(headers: IncomingHttpHeaders): Promise<Session | null>;
  /**
   * Signs a browser in, and ends the session that it had, whatever account that was for. No credential of the
   * account is ended from then until the transaction is over, so check the one that was used after this call.
   * Returns the Set-Cookie header.
   * @throws `forbidden` for a banned account
   */
  begin(tx: Tx, creatorId: AccountId, headers: IncomingHttpHeaders): Promise<string>;
  end(sessionId: SessionId): Promise<void>;
  /** Returns a page of the browsers in which the account is signed in: the session's own, then the others, newest first. */
  list(
    session: Pick<Session, 'id' | 'creator'>,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<{ page: ListedSession[]; next: string | null }>;
  /** @throws `not_found` if it is not the creator's */
  endOwn(creatorId: AccountId, sessionId: SessionId): Promise<void>;
  /** Returns how many sessions were ended. */
  endOthers(session: Session): Promise<number>;
  /** The Set-Cookie header that removes the cookie. */
  readonly expiredCookie: string;
}

export function createSessions({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): Sessions {
  const name = sessionCookieName(config.BASE_URL);
  const { secure } = cookiePrefix(config.BASE_URL);
  return {
    hasCookie: ({ cookie }) => readCookie(cookie, name) !== null,
    async find({ cookie }) {
      const value = readCookie(cookie, name);
      if (value === null) return null;
      const session = await findSession(database.db, hashSessionToken(tokenInCookie(value)));
      return session !== undefined && session.expiresAt > clock.now() ? session : null;
    },
    async begin(tx, creatorId, { cookie, 'user-agent': userAgent = null }) {
      if (await isBanned(tx, creatorId))
        throw new ServiceError('forbidden', `This account is banned. ${askOperators(config.CONTACT)}`);
      const value = readCookie(cookie, name);
      if (value !== null) await deleteSessionOfToken(tx, hashSessionToken(tokenInCookie(value)));
      const token = newSessionToken();
      await insertSession(tx, {
        token: hashSessionToken(token),
        creator_id: creatorId,
        expires_at: tx.now + config.SESSION_SECONDS * 1000,
        user_agent: userAgent,
      });
      return toSetCookie({ name, value: token, maxAgeSeconds: config.SESSION_SECONDS, secure });
    },
    end: (sessionId) => deleteSession(database.db, sessionId),
    async list({ id, creator }, { cursor, limit }) {
      const of = { creatorId: creator.id, id, now: clock.now() };
      const own = cursor === undefined ? await findListedSession(database.db, of) : undefined;
      // A page of this session alone would end nowhere in the order of the others.
      const left = own ? Math.max(1, limit - 1) : limit;
      const others = await listOtherSessions(database.db, of, {
        after: decodeCursor(cursor),
        limit: left + 1,
      });
      const { page, next } = pageOf(others, left, ({ createdAt, id }) => ({ value: createdAt, id }));
      return { page: own ? [own, ...page] : page, next };
    },
    async endOwn(creatorId, sessionId) {
      if (await deleteOwnSession(database.db, creatorId, sessionId)) return;
      throw new ServiceError('not_found', 'There is no such session.');
    },
    endOthers: ({ id, creator }) => deleteOtherSessions(database.db, creator.id, id),
    expiredCookie: toSetCookie({ name, value: '', maxAgeSeconds: 0, secure }),
  };
}
