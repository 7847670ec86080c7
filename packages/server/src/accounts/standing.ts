import type { Tx } from '../platform/db/tx.ts';
import { isBanned } from './ban.ts';
import type { Session } from './sign-in/sessions.queries.ts';
import { sessionIsOver } from './signed-in.ts';
import { isSessionThere } from './standing.queries.ts';

/**
 * Checks that a session has not been ended since it was looked up, for example by a new password. It cannot be
 * ended until the transaction is over. Whatever lets somebody come back to the account, such as a token, is
 * written after this check, in the same transaction.
 * @throws `unauthorized`
 */
export async function requireStanding(
  tx: Tx,
  { id, creator }: Pick<Session, 'id' | 'creator'>,
): Promise<void> {
  // The first statement locks the account, so the second sees what ended the session.
  const isOver = (await isBanned(tx, creator.id)) || !(await isSessionThere(tx, id));
  if (isOver) throw sessionIsOver();
}
