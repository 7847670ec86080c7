import { type Selectable, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, ContentId, ReportId, SpaceId } from '../platform/db/ids.ts';
import type { Db, ReportsTable, SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Cursor } from '../platform/http/cursor.ts';

export type ReportRow = Selectable<ReportsTable> & {
  readonly slug: string;
  readonly title: string;
  readonly spaceState: SpacesTable['state'];
  /** The owner's handle. */
  readonly owner: string | null;
  readonly deciderHandle: string | null;
  /** The reported content, if the report is about content and it still exists. */
  readonly contentKind: string | null;
  readonly contentTitle: string | null;
  readonly contentMaker: string | null;
};

// An instant later than any decided report (the year 5138), so that one number orders
// open and decided reports.
const openAbove = 100_000_000_000_000;

/** Returns the sort value of a report in the list; larger comes first. */
export function sortValueOf({ state, reported_at }: Pick<ReportRow, 'state' | 'reported_at'>): number {
  return state === 'open' ? reported_at + openAbove : reported_at;
}

export async function insertReport(tx: Tx, report: Selectable<ReportsTable>): Promise<void> {
  await tx.db.insertInto('reports').values(report).execute();
}

function selectReports(db: Db) {
  return db
    .selectFrom('reports as report')
    .innerJoin('spaces as space', 'space.id', 'report.space_id')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .leftJoin('creators as decider', 'decider.id', 'report.decided_by')
    .leftJoin('content as item', 'item.id', 'report.content_id')
    .leftJoin('creators as maker', 'maker.id', 'item.player_id')
    .select([
      'report.id',
      'report.space_id',
      'report.content_id',
      'report.reason',
      'report.message',
      'report.reported_at',
      'report.state',
      'report.note',
      'report.decided_by',
      'report.decided_at',
      'space.slug',
      'space.title',
      'space.state as spaceState',
      'owner.handle as owner',
      'decider.handle as deciderHandle',
      'item.kind as contentKind',
      'item.title as contentTitle',
      'maker.handle as contentMaker',
    ]);
}

export async function findReport(db: Db, id: ReportId): Promise<ReportRow | undefined> {
  return selectReports(db).where('report.id', '=', id).executeTakeFirst();
}

/**
 * Returns a page of reports: the open ones, then the decided ones, each the newest first. An index has the order of each
 * state. In one statement for all states, the whole table would be sorted.
 */
export async function findReports(
  db: Db,
  { state, after, limit }: { state?: 'open' | 'decided' | undefined; after: Cursor | null; limit: number },
): Promise<ReportRow[]> {
  const isBehindOpen = after !== null && after.value < openAbove;
  const open =
    state === 'decided' || isBehindOpen
      ? []
      : await findInState(db, 'open', {
          after: after && { ...after, value: after.value - openAbove },
          limit,
        });
  if (state === 'open' || open.length === limit) return open;
  const page = { after: isBehindOpen ? after : null, limit: limit - open.length };
  const decided = await Promise.all([findInState(db, 'dismissed', page), findInState(db, 'resolved', page)]);
  // One that was decided between the statements comes with both.
  const shown = new Set(open.map(({ id }) => id));
  const others = decided.flat().filter(({ id }) => !shown.has(id));
  return [...open, ...others.sort(newestFirst).slice(0, page.limit)];
}

/** Returns reports in a state, the newest first. */
async function findInState(
  db: Db,
  state: ReportRow['state'],
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ReportRow[]> {
  let query = selectReports(db)
    .where('report.state', '=', state)
    .orderBy('report.reported_at', 'desc')
    .orderBy('report.id', 'desc')
    .limit(limit);
  if (after) query = query.where(afterCursor('report.reported_at', 'report.id', after));
  return query.execute();
}

/** Orders by the time, and then by the id as both engines compare it. */
function newestFirst(one: ReportRow, other: ReportRow): number {
  return other.reported_at - one.reported_at || (one.id < other.id ? 1 : -1);
}

/** Closes those of the reports that are open. Returns their ids. */
export async function closeOpenReports(
  tx: Tx,
  ids: readonly ReportId[],
  decision: Pick<ReportRow, 'state' | 'note' | 'decided_by' | 'decided_at'>,
): Promise<ReportId[]> {
  const rows = await tx.db
    .updateTable('reports')
    .set(decision)
    .where('id', 'in', oneOf(tx.db, ids))
    .where('state', '=', 'open')
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns ids of the open reports of a space and of content in it, in no order.
 * @param contentId only those about this content, or, if it is null, about the space itself
 */
export async function findOpenReportsOf(
  tx: Tx,
  { spaceId, contentId }: { spaceId: SpaceId; contentId?: ContentId | null },
): Promise<ReportId[]> {
  let reports = tx.db.selectFrom('reports').select('id').where('space_id', '=', spaceId);
  if (contentId !== undefined)
    reports = reports.where('content_id', contentId === null ? 'is' : '=', contentId);
  const rows = await reports.where('state', '=', 'open').execute();
  return rows.map(({ id }) => id);
}

/** Returns ids of the open reports of all spaces of an account, and of content in them, in no order. */
export async function findOpenReportsOfOwner(tx: Tx, ownerId: AccountId): Promise<ReportId[]> {
  const rows = await tx.db
    .selectFrom('reports as report')
    .innerJoin('spaces as space', 'space.id', 'report.space_id')
    .select('report.id')
    .where('space.owner_id', '=', ownerId)
    .where('report.state', '=', 'open')
    .execute();
  return rows.map(({ id }) => id);
}

export async function countReportsOf(db: Db, spaceId: SpaceId): Promise<{ open: number; all: number }> {
  const { open, all } = await db
    .selectFrom('reports')
    .select([
      sql<number>`coalesce(sum(case when state = 'open' then 1 else 0 end), 0)`.as('open'),
      sql<number>`count(*)`.as('all'),
    ])
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow();
  return { open: Number(open), all: Number(all) };
}

/** Returns the newest reports of a space, without this one. */
export async function findOtherReports(db: Db, { id, space_id }: ReportRow, limit: number) {
  return db
    .selectFrom('reports')
    .select(['reported_at', 'reason', 'message'])
    .where('space_id', '=', space_id)
    .where('id', '!=', id)
    .orderBy('reported_at', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the newest actions of operators on a space. */
export async function findActionsOn(db: Db, spaceId: SpaceId, limit: number) {
  return db
    .selectFrom('audit_log as entry')
    .leftJoin('creators as actor', 'actor.id', 'entry.actor')
    .select(['entry.at', 'entry.action', 'entry.reason', 'entry.actor', 'actor.handle'])
    .where('entry.subject', '=', `space:${spaceId}`)
    .orderBy('entry.at', 'desc')
    .limit(limit)
    .execute();
}

export async function countOpenReports(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}
