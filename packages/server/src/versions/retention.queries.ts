import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { VersionRow } from './versions.queries.ts';

type Candidate = Pick<VersionRow, 'id' | 'space_id' | 'status'>;

/** Returns versions that were never finished and whose links ended before `before` (epoch milliseconds). */
export async function findAbandoned(db: Db, before: number, limit: number): Promise<Candidate[]> {
  return db
    .selectFrom('versions')
    .select(['id', 'space_id', 'status'])
    .where('status', '=', 'uploading')
    .where('links_expire_at', '<', before)
    .limit(limit)
    .execute();
}

/** Returns ids of spaces that have had more than `keep` versions, in ascending order. `keep` is 100 at least. */
export async function findCrowded(
  db: Db,
  keep: number,
  { after, limit }: { after: SpaceId; limit: number },
): Promise<SpaceId[]> {
  const rows = await db
    .selectFrom('spaces')
    .select('id')
    // The condition of an index, which has those alone.
    .where(sql<boolean>`next_version > 100`)
    .where('next_version', '>', keep + 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns finished versions of these spaces that are older than the newest `keep` finished ones of their space, except
 * the live one and those that wait for a verdict.
 */
export async function findSurplus(
  db: Db,
  keep: number,
  spaceIds: readonly SpaceId[],
  limit: number,
): Promise<Candidate[]> {
  return (
    db
      // It is materialized so that versions are counted once for a space, not for each of its versions.
      .with(
        (name) => name('crowded').materialized(),
        () => spacesWithSurplus(db, keep, spaceIds),
      )
      .selectFrom('crowded as space')
      .innerJoin('versions as version', 'version.space_id', 'space.id')
      .select(['version.id', 'version.space_id', 'version.status'])
      .whereRef('version.number', '<=', 'space.newest_surplus')
      .where('version.status', '!=', 'uploading')
      .where((where) =>
        where.or([where('version.status', '!=', 'checking'), where('version.stopped', '=', 1)]),
      )
      .where((where) =>
        where.or([
          where('space.live_version_id', 'is', null),
          where('space.live_version_id', '!=', where.ref('version.id')),
        ]),
      )
      .limit(limit)
      .execute()
  );
}

/** Selects spaces with the number of the newest version that is not among their newest `keep` finished ones. */
function spacesWithSurplus(db: Db, keep: number, spaceIds: readonly SpaceId[]) {
  return db
    .selectFrom('spaces')
    .select(['spaces.id', 'spaces.live_version_id'])
    .select((newest) =>
      newest
        .selectFrom('versions')
        .select('versions.number')
        .whereRef('versions.space_id', '=', 'spaces.id')
        .where('versions.status', '!=', 'uploading')
        .orderBy('versions.number', 'desc')
        .limit(1)
        .offset(keep)
        .as('newest_surplus'),
    )
    .where('spaces.id', 'in', oneOf(db, spaceIds));
}

/** Deletes a version with its jobs. The caller has locked the space. */
export async function deleteVersionRow(tx: Tx, id: VersionId): Promise<void> {
  await tx.db.deleteFrom('versions').where('id', '=', id).execute();
  await tx.db.deleteFrom('jobs').where('ref', '=', id).execute();
}

/**
 * Ends the links to a version that is deleted: they answer 410 for as long as they would have lasted. Returns
 * their labels.
 */
export async function endLinks(tx: Tx, versionId: VersionId): Promise<string[]> {
  const ended: string[] = [];
  for (const table of ['preview_links', 'review_links'] as const) {
    const links = await tx.db
      .deleteFrom(table)
      .where('version_id', '=', versionId)
      .returning(['label', 'expires_at'])
      .execute();
    if (links.length > 0) await tx.db.insertInto('ended_labels').values(links).execute();
    ended.push(...links.map(({ label }) => label));
  }
  return ended;
}

export async function sweepPreviewLinks(db: Db, before: number): Promise<void> {
  for (const table of ['preview_links', 'review_links', 'ended_labels'] as const)
    await deleteInPieces(db, table, sql`expires_at < ${before}`);
}
