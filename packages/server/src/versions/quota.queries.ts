import { sql } from 'kysely';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

/** Bytes of the distinct files that a creator has uploaded and the store still has. */
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
  /** Of all its versions together; files that several have are counted in each. */
  readonly bytes: number;
}

/** The spaces of a creator whose versions are largest, the largest first. */
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
