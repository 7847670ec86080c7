import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Mail } from '../platform/mail/mailer.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import { findEmail } from './accounts.queries.ts';
import type { Told } from './told-mails.ts';

/** Returns what a mail of the operators says beside what was done. `message` is null without words of theirs. */
export function toldBy({ config, urls }: Pick<Platform, 'config' | 'urls'>, message: string | null): Told {
  return { message, contact: config.CONTACT, appOrigin: urls.app };
}

/** Queues a mail to the owner of a space. Nobody gets it if the space has none. */
export async function mailOwner(
  tx: Tx,
  { owner_id }: Pick<SpaceRow, 'owner_id'>,
  mailTo: (email: string) => Mail,
): Promise<void> {
  const email = owner_id === null ? null : await findEmail(tx.db, owner_id);
  if (email !== null) await queueMail(tx, mailTo(email));
}
