import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

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
