import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { ownView } from '../spaces/space-view.ts';
import {
  areMailsOn,
  findNewErrors,
  findOwnedVersion,
  noteAlerted,
  putMailsOn,
} from './error-mail.queries.ts';
import {
  errorMailJob,
  errorMailRef,
  isWorthMail,
  mailEveryMs,
  newVersionMs,
  readErrorMailRef,
} from './error-mail-rules.ts';
import { errorMail } from './error-mail-words.ts';
import { countSessions } from './play-counts.queries.ts';

/** @throws `not_found` */
export async function readErrorMails(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  slug: string,
): Promise<boolean> {
  const { id } = await ownView(db, slug, caller);
  return areMailsOn(db, id);
}

/** @throws `not_found` */
export async function setErrorMails(
  { database }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  slug: string,
  isOn: boolean,
): Promise<boolean> {
  const { id } = await ownView(database.db, slug, caller);
  await database.transaction((tx) => putMailsOn(tx, id, isOn));
  return isOn;
}

/**
 * Creates the job that mails the owner of a space about new errors in a new version. Errors within a day
 * after such a mail wait for the next one.
 */
export function createErrorMailJob({ database, urls }: Pick<Platform, 'database' | 'urls'>): JobKind {
  return {
    kind: errorMailJob,
    timeoutSeconds: 30,
    maxAttempts: 10,
    concurrency: 1,
    async run({ ref, confirmLease }) {
      const mailed = readErrorMailRef(ref);
      await database.transaction(async (tx) => {
        await confirmLease(tx);
        const found = await findOwnedVersion(tx.db, mailed);
        if (!found || found.liveAt === null || tx.now - found.liveAt > newVersionMs) return;
        if (!(await areMailsOn(tx.db, mailed.spaceId))) return;
        const all = await findNewErrors(tx.db, found.versionId);
        const loads = await countSessions(tx.db, mailed);
        const errors = all.filter(
          ({ alertedAt, sessions }) => alertedAt === null && isWorthMail(sessions, loads),
        );
        if (errors.length === 0) return;
        const last = Math.max(...all.map(({ alertedAt }) => alertedAt ?? Number.NEGATIVE_INFINITY));
        if (tx.now - last < mailEveryMs)
          return tx.enqueue(errorMailJob, errorMailRef(mailed), last + mailEveryMs);
        await noteAlerted(
          tx,
          found.versionId,
          errors.map(({ id }) => id),
        );
        await queueMail(tx, errorMail({ ...found, version: mailed.version }, errors, urls.app));
      });
    },
  };
}
