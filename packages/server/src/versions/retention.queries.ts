import { sql } from 'kysely';
import type { VersionId } from '../platform/db/ids.ts';
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

/** Returns finished versions that are older than the newest `keep` versions of their space. */
export async function findSurplus(db: Db, keep: number, limit: number): Promise<Candidate[]> {
  return db
    .selectFrom('versions as version')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .select(['version.id', 'version.space_id', 'version.status'])
    .whereRef('version.number', '<', sql<number>`space.next_version - ${sql.lit(keep)}`)
    .where('version.status', 'not in', ['uploading', 'checking'])
    .where((where) =>
      where.or([
        where('space.live_version_id', 'is', null),
        where('space.live_version_id', '!=', where.ref('version.id')),
      ]),
    )
    .limit(limit)
    .execute();
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
  await db.deleteFrom('preview_links').where('expires_at', '<', before).execute();
  await db.deleteFrom('review_links').where('expires_at', '<', before).execute();
  await db.deleteFrom('ended_labels').where('expires_at', '<', before).execute();
}
