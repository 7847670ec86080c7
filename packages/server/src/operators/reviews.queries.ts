import { type NotNull, sql } from 'kysely';
import { givenId, type VersionId } from '../platform/db/ids.ts';
import type { Db, Flag, SpacesTable, VersionsTable } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';

/** A version that waits for an operator, with the facts to decide its review. */
export interface OpenReview {
  readonly id: VersionId;
  readonly number: number;
  readonly status: 'refused' | 'unjudged';
  readonly reason: string | null;
  readonly report: VersionsTable['report'];
  readonly files: number;
  readonly bytes: number;
  readonly created_at: number;
  readonly requested_at: number;
  readonly slug: string;
  readonly title: string;
  readonly state: SpacesTable['state'];
  /** The owner's handle. */
  readonly owner: string | null;
  readonly hosted: Flag;
  readonly finished_as_preview: Flag | null;
  /** The number of the version that the space points at. */
  readonly live_number: number | null;
}

export async function findOpenReviews(db: Db, after: Cursor | null, limit: number): Promise<OpenReview[]> {
  let query = db
    .selectFrom('versions as version')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .leftJoin('versions as live', 'live.id', 'space.live_version_id')
    .select([
      'version.id',
      'version.number',
      'version.status',
      'version.reason',
      'version.report',
      'version.files',
      'version.bytes',
      'version.finished_as_preview',
      'version.created_at',
      'version.review_requested_at',
      'space.slug',
      'space.title',
      'space.state',
      'owner.handle as owner',
      'space.hosted',
      'live.number as live_number',
    ])
    .where('version.review_decided_at', 'is', null)
    .where('version.review_requested_at', 'is not', null)
    .where('version.status', 'in', ['refused', 'unjudged'])
    .$narrowType<{ review_requested_at: NotNull }>()
    .orderBy('version.review_requested_at')
    .orderBy('version.id')
    .limit(limit);
  if (after)
    query = query.where((where) =>
      where.or([
        where('version.review_requested_at', '>', after.value),
        where.and([
          where('version.review_requested_at', '=', after.value),
          where('version.id', '>', givenId('ver', after.id)),
        ]),
      ]),
    );
  const rows = await query.execute();
  // The conditions above exclude other statuses, and rows without a time.
  return rows.map(({ review_requested_at, ...row }) => ({
    ...row,
    status: row.status as OpenReview['status'],
    requested_at: review_requested_at,
  }));
}

export async function countOpenReviews(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('versions')
    .select(sql<number>`count(*)`.as('count'))
    .where('review_decided_at', 'is', null)
    .where('review_requested_at', 'is not', null)
    .where('status', 'in', ['refused', 'unjudged'])
    .executeTakeFirstOrThrow();
  return Number(count);
}
