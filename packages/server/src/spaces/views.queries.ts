import { afterCursor } from '../platform/db/after-cursor.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import type { SpaceRow } from './spaces.queries.ts';

/** A space with the columns of other tables that answers show. */
export interface SpaceView extends SpaceRow {
  readonly owner_handle: string | null;
  readonly live_number: number | null;
  readonly page_warning: string | null;
}

/** Returns the base query for reads of spaces. Its table is called `space`. */
export function selectViews(db: Db) {
  return db
    .selectFrom('spaces as space')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .leftJoin('versions as live', 'live.id', 'space.live_version_id')
    .leftJoin('page_declarations as declarations', 'declarations.space_id', 'space.id')
    .selectAll('space')
    .select([
      'owner.handle as owner_handle',
      'live.number as live_number',
      'declarations.warning as page_warning',
    ]);
}

/** The columns that lists for everyone show, and those that name the space and its owner. */
const shownColumns = [
  'space.id',
  'space.slug',
  'space.owner_id',
  'space.hosted',
  'space.claimed',
  'space.url',
  'space.title',
  'space.space_type',
  'space.devices',
  'space.description',
  'space.engine',
  'space.ai_tools',
  'space.models',
  'space.tags',
  'space.how_made',
  'space.source_url',
  'space.page',
  'space.clip',
  'space.cover',
  'space.plays',
  'space.created_at',
  'space.updated_at',
] as const;

type WithoutTable<Column> = Column extends `space.${infer Name}` ? Name : never;

/** A space as lists for everyone show it. */
export interface ShownView
  extends Pick<SpaceView, WithoutTable<(typeof shownColumns)[number]> | 'owner_handle'> {}

/** Returns the base query for lists for everyone. They have many rows, and half of a row is for its owner. */
export function selectShown(db: Db) {
  return db
    .selectFrom('spaces as space')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .select([...shownColumns, 'owner.handle as owner_handle']);
}

/** Returns the base query for reads that need only the settings of a space's page. */
export function selectSettings(db: Db) {
  return db.selectFrom('spaces as space').select(['space.slug', 'space.id', 'space.page']);
}

/** Returns the base query for reads that need only the addresses of spaces and of their owners. */
export function selectAddresses(db: Db) {
  return db
    .selectFrom('spaces as space')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .select(['space.slug', 'space.claimed', 'owner.handle']);
}

export async function findView(db: Db, slug: string): Promise<SpaceView | undefined> {
  return selectViews(db)
    .where('space.slug', '=', slug)
    .where('space.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Finds deleted spaces too. */
export async function findViewById(db: Db, id: SpaceId): Promise<SpaceView | undefined> {
  return selectViews(db).where('space.id', '=', id).executeTakeFirst();
}

/**
 * Returns the spaces of an account, newest first, or only the one named by `only`. Returns the spaces that
 * were deleted after `deletedSince`, or, if that is null, those that are not deleted.
 */
export async function findViewsOf(
  db: Db,
  {
    ownerId,
    only,
    deletedSince,
  }: { ownerId: AccountId; only: SpaceId | undefined; deletedSince: number | null },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<SpaceView[]> {
  let query = selectViews(db)
    .where('space.owner_id', '=', ownerId)
    .where('space.deleted_at', deletedSince === null ? 'is' : '>', deletedSince)
    .orderBy('space.created_at', 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit);
  if (only !== undefined) query = query.where('space.id', '=', only);
  if (after) query = query.where(afterCursor('space.created_at', 'space.id', after));
  return query.execute();
}

/**
 * Returns how many versions of an account wait for the safety check, by space. Only a few may wait at a time.
 */
export async function countWaitingBySpace(db: Db, creatorId: AccountId): Promise<Map<SpaceId, number>> {
  const rows = await db
    .selectFrom('versions')
    .select(({ fn }) => ['space_id', fn.countAll<number>().as('waiting')])
    .where('created_by', '=', creatorId)
    .where('status', '=', 'checking')
    .where('stopped', '=', 0)
    .groupBy('space_id')
    .execute();
  return new Map(rows.map(({ space_id, waiting }) => [space_id, waiting]));
}
