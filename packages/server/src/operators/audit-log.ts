import type { AuditEntry } from '@spaceport/contract/audit';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { deleteEntriesBefore, findEntries, findSubjectNames } from './audit-log.queries.ts';
import type { ListQuery } from './list-query.ts';

const dayMs = 24 * 3_600_000;

/** Deletes entries that are older than AUDIT_DAYS. */
export async function sweepAuditLog({ database, clock, config }: Platform): Promise<void> {
  if (config.AUDIT_DAYS === 0) return;
  await deleteEntriesBefore(database.db, clock.now() - config.AUDIT_DAYS * dayMs);
}

/** Returns a page of the audit log, newest first, with names for the stored ids. */
export async function readAuditLog(
  { database: { db } }: Platform,
  { cursor, limit }: ListQuery,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const rows = await findEntries(db, decodeCursor(cursor), limit + 1);
  const { page, next } = pageOf(rows, limit, ({ at, id }) => ({ value: at, id }));
  const subjects = page.map(({ subject }) => readSubject(subject));
  const names = await findSubjectNames(db, subjects);
  const entries = page.map(({ id, at, action, reason, actor, actorHandle, subject }) => {
    const about = readSubject(subject);
    const name = about.kind === 'host' || about.kind === 'file' ? about.id : (names.get(about.id) ?? null);
    return {
      id,
      at: toTimestamp(at),
      actor: actorHandle ?? actor,
      action,
      subject: { ...about, name },
      reason,
    };
  });
  return { entries, next };
}

type Kind = AuditEntry['subject']['kind'];

/** Parses `kind:id`, as `audit` writes it. A host may contain colons too. */
function readSubject(subject: string): { kind: Kind; id: string } {
  const colon = subject.indexOf(':');
  return { kind: subject.slice(0, colon) as Kind, id: subject.slice(colon + 1) };
}
