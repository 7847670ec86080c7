import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/context.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import { cookiePrefix, hashSessionToken, sessionCookieName, tokenInCookie } from './session-token.ts';
import { deleteOtherSessions, deleteSession, findSession, type Session } from './sessions.queries.ts';

export type { Session } from './sessions.queries.ts';

export interface Sessions {
  /** Does the request carry a session cookie, of whatever worth? */
  hasCookie(headers: IncomingHttpHeaders): boolean;
  /** Whose browser sent the request; null for one that is not signed in. Always read: a session ends at once. */
  find(headers: IncomingHttpHeaders): Promise<Session | null>;
  end(sessionId: string): Promise<void>;
  endOthers(session: Session): Promise<void>;
  /** The Set-Cookie header that takes the cookie away. */
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
      return findSession(database.db, hashSessionToken(tokenInCookie(value)), clock.now());
    },
    end: (sessionId) => deleteSession(database.db, sessionId),
    endOthers: ({ id, creator }) => deleteOtherSessions(database.db, creator.id, id),
    expiredCookie: `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  };
}
