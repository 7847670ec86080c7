import { type Selectable, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOf } from '../platform/db/dialect.ts';
import { givenId, type Ids } from '../platform/db/ids.ts';
import type { AuditLogTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Cursor } from '../platform/http/cursor.ts';

type EntryRow = Selectable<AuditLogTable> & { readonly actorHandle: string | null };

export async function insertEntries(tx: Tx, entries: readonly Selectable<AuditLogTable>[]): Promise<void> {
  await tx.db.insertInto('audit_log').values(entries).execute();
}

export async function deleteEntriesBefore(db: Db, at: number): Promise<void> {
  await deleteInPieces(db, 'audit_log', sql`at < ${at}`);
}

export async function findEntries(db: Db, after: Cursor | null, limit: number): Promise<EntryRow[]> {
  let query = db
    .selectFrom('audit_log as entry')
    .leftJoin('creators as actor', 'actor.id', 'entry.actor')
    .selectAll('entry')
    .select('actor.handle as actorHandle')
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
    .limit(limit);
  if (after) query = query.where(afterCursor('entry.at', 'entry.id', after));
  return query.execute();
}

/**
 * Returns names of spaces, versions, accounts and the spaces of reports, by id. Deleted ones are left out.
 */
export async function findSubjectNames(
  db: Db,
  subjects: readonly { kind: string; id: string }[],
): Promise<Map<string, string>> {
  const idsOf = <Prefix extends keyof Ids>(kind: string, prefix: Prefix) => {
    const ids = subjects.filter((subject) => subject.kind === kind).map(({ id }) => givenId(prefix, id));
    return oneOf<Ids[Prefix]>(db, ids);
  };
  const [spaces, versions, accounts, reports] = await Promise.all([
    db.selectFrom('spaces').select(['id', 'slug']).where('id', 'in', idsOf('space', 'spc')).execute(),
    db
      .selectFrom('versions as version')
      .innerJoin('spaces as space', 'space.id', 'version.space_id')
      .select(['version.id', 'version.number', 'space.slug'])
      .where('version.id', 'in', idsOf('version', 'ver'))
      .execute(),
    db.selectFrom('creators').select(['id', 'handle']).where('id', 'in', idsOf('account', 'usr')).execute(),
    db
      .selectFrom('reports as report')
      .innerJoin('spaces as space', 'space.id', 'report.space_id')
      .select(['report.id', 'space.slug'])
      .where('report.id', 'in', idsOf('report', 'rep'))
      .execute(),
  ]);
  return new Map<string, string>([
    ...[...spaces, ...reports].map(({ id, slug }) => [id, slug] as const),
    ...versions.map(({ id, slug, number }) => [id, `${slug}#${number}`] as const),
    ...accounts.flatMap(({ id, handle }) => (handle === null ? [] : [[id, handle] as const])),
  ]);
}
