import type { Platform } from '../platform/context.ts';
import { lock } from '../platform/db/dialect.ts';
import type { Tx } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import type { Creator } from './accounts.queries.ts';
import { deleteCredentials, emptyCreator, hasOtherOperator } from './close-account.queries.ts';
import { accountDeletedMail } from './sign-in/messages.ts';

/**
 * Ends an account, in the caller's transaction: nobody signs in to it any more, nothing names it, and its handle is never
 * given again. Its address is told. Throws `conflict` where it is the only operator.
 */
export async function closeAccount(
  { database, clock, urls }: Platform,
  tx: Tx,
  { creator, email }: { creator: Pick<Creator, 'id' | 'operator'>; email: string },
): Promise<void> {
  if (creator.operator) {
    // Of two operators who leave at once, one stays.
    await lock(tx, 'accounts:operators');
    if (!(await hasOtherOperator(tx, creator.id)))
      throw new ServiceError(
        'conflict',
        'You are the only operator of this service. Make somebody else one first: npm run admin -- grant-operator.',
      );
  }
  const now = clock.now();
  await deleteCredentials(tx, creator.id);
  await emptyCreator(tx, creator.id, now);
  await queueMail(database, tx, accountDeletedMail(email, urls.app), now);
  database.announcements.announce(tx, 'creator', creator.id);
}
