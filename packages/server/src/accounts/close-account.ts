import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { deleteCredentials, emptyCreator } from './close-account.queries.ts';
import { isLastOperator } from './last-operator.ts';
import { accountDeletedMail } from './sign-in/messages.ts';
import type { Session } from './sign-in/sessions.ts';
import { lockAccount } from './standing.queries.ts';
import { requireStanding } from './standing.ts';

/**
 * Closes an account, in the caller's transaction: nobody can sign in to it, nothing names it, and its handle
 * is never given again. A mail tells its address.
 * @throws `conflict` if it is the only operator, `unauthorized` if the session has ended
 */
export async function closeAccount(
  { urls }: Pick<Platform, 'urls'>,
  tx: Tx,
  session: Pick<Session, 'id' | 'creator' | 'email'>,
): Promise<void> {
  const { creator, email } = session;
  if (creator.operator && (await isLastOperator(tx, creator.id)))
    throw new ServiceError(
      'conflict',
      'You are the only operator of this service. Make another account an operator first: npm run admin -- grant-operator.',
    );
  await lockAccount(tx, creator.id);
  await requireStanding(tx, session);
  await deleteCredentials(tx, creator.id);
  await emptyCreator(tx, creator.id);
  await queueMail(tx, accountDeletedMail(email, urls.app));
  tx.announce('creator', creator.id);
}
