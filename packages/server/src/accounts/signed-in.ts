import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../platform/errors.ts';
import type { Session, Sessions } from './sign-in/sessions.ts';

/**
 * Returns the session of a request that was already let in by one.
 * @throws `unauthorized` if it has ended since
 */
export async function requireSession(sessions: Sessions, headers: IncomingHttpHeaders): Promise<Session> {
  const session = await sessions.find(headers);
  if (!session) throw sessionIsOver();
  return session;
}

export function sessionIsOver(): ServiceError {
  return new ServiceError('unauthorized', 'You are not signed in any more.');
}
