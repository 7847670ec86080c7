import { type Selectable, sql } from 'kysely';
import { oneOfList } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db, SpacesTable } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import { indexSpaces } from '../search/search.ts';
import { releaseAddresses } from './addresses.queries.ts';
import type { FieldColumns } from './space-fields.ts';

export type SpaceRow = Selectable<SpacesTable>;

/** The queries below find no deleted spaces, unless the name says so. */
export async function findSpaceBySlug(db: Db, slug: string): Promise<SpaceRow | undefined> {
  const space = await findEvenDeleted(db, slug);
  return space && present(space);
}

export async function findEvenDeleted(db: Db, slug: string): Promise<SpaceRow | undefined> {
  return db.selectFrom('spaces').selectAll().where('slug', '=', slug).executeTakeFirst();
}

export async function findSpaceById(db: Db, id: SpaceId): Promise<SpaceRow | undefined> {
  const space = await db.selectFrom('spaces').selectAll().where('id', '=', id).executeTakeFirst();
  return space && present(space);
}

/** Of which space a version is. */
export async function findSpaceOfVersion(db: Db, versionId: VersionId): Promise<SpaceRow | undefined> {
  const space = await db
    .selectFrom('spaces')
    .selectAll()
    .where('id', '=', (own) =>
      own.selectFrom('versions').select('versions.space_id').where('versions.id', '=', versionId),
    )
    .executeTakeFirst();
  return space && present(space);
}

function present(space: SpaceRow): SpaceRow | undefined {
  return space.deleted_at === null ? space : undefined;
}

/** Takes a slug for a space. Returns false if any space has or had it. */
export async function reserveSlug(tx: Tx, slug: string, spaceId: SpaceId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('slugs')
    .values({ slug, space_id: spaceId })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function insertSpace(tx: Tx, space: SpaceRow): Promise<void> {
  await tx.db.insertInto('spaces').values(space).execute();
  if (space.hosted === 0) await indexSpaces(tx, [space.id]);
  announceShown(tx, `space:${space.id}`);
}

/** Takes the next version number of the space. Returns null if the space does not exist. */
export async function takeVersionNumber(tx: Tx, spaceId: SpaceId): Promise<number | null> {
  const row = await tx.db
    .updateTable('spaces')
    .set({ next_version: sql<number>`next_version + 1` })
    .where('id', '=', spaceId)
    .returning('next_version')
    .executeTakeFirst();
  return row ? row.next_version - 1 : null;
}

/**
 * Points the space at a version, and sets the listing fields that came with it. A listed space becomes a
 * hosted one, and its address is free for others.
 */
export async function pointSpaceAt(
  tx: Tx,
  space: SpaceRow,
  versionId: VersionId,
  fields: Partial<FieldColumns>,
): Promise<void> {
  const change = { ...fields, live_version_id: versionId, hosted: 1, url: null } as const;
  await Promise.all([releaseAddresses(tx, space.id), changeSpaceRow(tx, space.id, change, space)]);
}

/** The columns that the search uses. A change of one of them rewrites the rows of the search index. */
const searched: ReadonlySet<keyof SpaceRow> = new Set([
  'title',
  'description',
  'tags',
  'space_type',
  'owner_id',
  'claimed',
  'state',
  'page_unlisted',
  'hosted',
  'live_version_id',
]);

/**
 * Changes a space and increases its revision, which is its ETag.
 * @param locked the current space, if the caller has locked it: the search index is then
 * rewritten only for real changes
 */
export async function changeSpaceRow(
  tx: Tx,
  spaceId: SpaceId,
  change: Partial<SpaceRow>,
  locked?: SpaceRow,
): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ ...change, revision: sql<number>`revision + 1`, updated_at: tx.now })
    .where('id', '=', spaceId)
    .execute();
  if (isSearchedOtherwise(change, locked)) await indexSpaces(tx, [spaceId]);
  announceShown(tx, `space:${spaceId}`);
}

function isSearchedOtherwise(change: Partial<SpaceRow>, before: SpaceRow | undefined): boolean {
  // The keys are columns.
  const columns = (Object.keys(change) as (keyof SpaceRow)[]).filter((column) => searched.has(column));
  return columns.some((column) => {
    if (before === undefined) return true;
    // The search only uses whether a version is live, not which.
    if (column === 'live_version_id') return before[column] === null;
    return before[column] !== change[column];
  });
}

/** Locks the space until the transaction ends, and returns its current row. */
export async function lockSpace(tx: Tx, spaceId: SpaceId): Promise<SpaceRow | undefined> {
  const space = await lockEvenDeleted(tx, spaceId);
  return space && present(space);
}

export async function lockEvenDeleted(tx: Tx, spaceId: SpaceId): Promise<SpaceRow | undefined> {
  // A no-op update takes the row's lock on both engines.
  return tx.db
    .updateTable('spaces')
    .set({ revision: sql<number>`revision` })
    .where('id', '=', spaceId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the space. Its slugs stay taken. */
export async function deleteSpace(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.deleteFrom('spaces').where('id', '=', spaceId).execute();
  announceShown(tx, `space:${spaceId}`);
}

/** Gives back every slug of a space that nobody has seen. */
export async function freeSlugs(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.deleteFrom('slugs').where('space_id', '=', spaceId).execute();
}

/**
 * Returns the space that has or had the slug; `ended` if it is gone or deleted, `never` if no space ever had
 * the slug. Look-ups that come together share one statement.
 */
export async function findSpaceOfSlug(db: Db, slug: string): Promise<SpaceRow | 'ended' | 'never'> {
  return (await findOfSlug(db, slug)) ?? 'never';
}

const findOfSlug = gathered(async (db: Db, slugs: readonly string[]) => {
  const rows = await findOfSlugs(db, { slugs: listOf(slugs) });
  return new Map(
    rows.map(
      ({ asked, ...space }) => [asked, isThere(space) ? (present(space) ?? 'ended') : 'ended'] as const,
    ),
  );
});

const findOfSlugs = prepared((db, { slugs }: Given<{ slugs: List<string> }>) =>
  db
    .selectFrom('slugs as had')
    .leftJoin('spaces as space', 'space.id', 'had.space_id')
    .selectAll('space')
    .select('had.slug as asked')
    .where('had.slug', 'in', oneOfList(db, slugs)),
);

function isThere(space: { [Column in keyof SpaceRow]: SpaceRow[Column] | null }): space is SpaceRow {
  return space.id !== null;
}

/** Returns spaces that were deleted before `before` (epoch milliseconds), oldest first. */
export async function findDeletedBefore(db: Db, before: number, limit: number): Promise<{ id: SpaceId }[]> {
  return db
    .selectFrom('spaces')
    .select('id')
    .where('deleted_at', '<=', before)
    .orderBy('deleted_at')
    .limit(limit)
    .execute();
}
