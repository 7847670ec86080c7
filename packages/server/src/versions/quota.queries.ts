import { sql } from 'kysely';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

/** Returns the bytes of the distinct stored files that a creator has uploaded. */
export async function findStoredBytes(db: Db, creatorId: AccountId): Promise<number> {
  const row = await db
    .selectFrom('blob_uploads as upload')
    .innerJoin('blobs as blob', 'blob.hash', 'upload.hash')
    .select(sql<number | string | null>`sum(blob.size)`.as('bytes'))
    .where('upload.principal', '=', creatorId)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

export interface SpaceUse {
  readonly slug: string;
  readonly versions: number;
  /** The bytes of all its versions. A file that several versions have counts in each. */
  readonly bytes: number;
}

/** Returns the spaces of a creator with the largest versions, the largest first. */
export async function findLargestSpaces(db: Db, creatorId: AccountId, limit: number): Promise<SpaceUse[]> {
  const rows = await db
    .selectFrom('versions as version')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .select(({ fn }) => [
      'space.slug',
      fn.countAll<number | string>().as('versions'),
      fn.sum<number | string>('version.bytes').as('bytes'),
    ])
    .where('space.owner_id', '=', creatorId)
    .groupBy('space.slug')
    .orderBy('bytes', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ slug, versions, bytes }) => ({
    slug,
    versions: Number(versions),
    bytes: Number(bytes),
  }));
}
