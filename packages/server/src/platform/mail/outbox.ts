import type { Platform } from '../context.ts';
import type { Db } from '../db/schema.ts';
import type { Tx } from '../db/tx.ts';
import type { JobKind } from '../jobs/queue.ts';
import { reasonOf } from '../reason-of.ts';
import { newId } from '../secrets/id.ts';
import type { Mail, Mailer } from './mailer.ts';

/**
 * Mails are sent by a job. A message is a row of the transaction that causes it, so that no response waits
 * for a mail server and no crash loses a message. A message may arrive twice. It is given up when the mail
 * server refuses its recipient, or has not taken it for about an hour.
 */
const kind = 'mail';

/** The first seven come within a minute, and then there is one a minute. */
const attemptsInAnHour = 65;

export async function queueMail(tx: Tx, mail: Mail): Promise<void> {
  const id = newId('mail');
  await tx.db
    .insertInto('outgoing_mails')
    .values({ id, recipient: mail.to, subject: mail.subject, body: mail.text, created_at: tx.now })
    .execute();
  await tx.enqueue(kind, id);
}

export function createMailJob(
  { database, log }: Pick<Platform, 'database' | 'log'>,
  mailer: Mailer,
): JobKind {
  // The text holds a link that signs somebody in, so it is kept no longer than needed.
  const forget = (db: Db, id: string) => db.deleteFrom('outgoing_mails').where('id', '=', id).execute();
  return {
    kind,
    timeoutSeconds: 90,
    maxAttempts: attemptsInAnHour,
    concurrency: 4,
    async run({ ref, signal, confirmLease }) {
      const waiting = await database.db
        .selectFrom('outgoing_mails')
        .select(['recipient as to', 'subject', 'body as text', 'created_at as writtenAt'])
        .where('id', '=', ref)
        .executeTakeFirst();
      if (!waiting) return;
      const { writtenAt, ...mail } = waiting;
      await mailer.send(mail, { writtenAt, signal }).catch((error: unknown) => {
        if (isRefusedRecipient(error)) {
          // Anybody can give a wrong address, so it is no failure of the job.
          // Without the fields of the error, which name the address.
          log.warn({ ref, reason: reasonOf(error) }, 'mail given up: the mail server refuses its recipient');
          return;
        }
        // As a cause, the error counts as a failure of the job: an unreachable mail server is not waited for
        // without end, as our own database is.
        throw new Error('the mail could not be sent', { cause: error });
      });
      await database.transaction(async (tx) => {
        await forget(tx.db, ref);
        await confirmLease(tx);
      });
    },
    async givenUp({ ref, confirm }) {
      await database.transaction(async (tx) => {
        await forget(tx.db, ref);
        await confirm(tx);
      });
      log.warn({ ref }, 'mail given up: the mail server has not taken it for an hour; see «admin doctor»');
    },
  };
}

/** Returns whether the mail server has said for good (5xx) that it does not take mail for this recipient. */
function isRefusedRecipient(error: unknown): boolean {
  const { command, responseCode } = error as { readonly command?: unknown; readonly responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}
