import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { labelOf } from './index.queries.ts';
import { isForgiven, scoreOf } from './rank.ts';
import { type FoundRow, findIn, findLabelled } from './search.queries.ts';
import { type Asked, bestTier, planOf } from './tiers.ts';

export { indexSpaces } from './index.queries.ts';
export { isListed, isPublic } from './listed.queries.ts';

export type SearchOrder = 'best' | 'new' | 'played';

export interface Hit {
  readonly id: SpaceId;
  /** The sort value of the list: the largest first, and among equal values the largest id. */
  readonly value: number;
}

/** More than all tiers find. */
const mostFound = 1_000;

/**
 * Finds listed spaces for a typed text. Each tier is looked up with a limit, and the results are ranked. So a
 * search ends after some hundred results, however many more there are.
 */
export async function searchSpaces(
  db: Db,
  asked: Asked,
  { order, after, limit }: { order: SearchOrder; after: Cursor | null; limit: number },
): Promise<Hit[]> {
  const plan = planOf(asked);
  if (plan === null) return [];
  // Of a first page, the tiers that rank lower than a full page are not looked up.
  const enough = order === 'best' && after === null ? limit : mostFound;
  const rows = await findIn(db, plan, { enough });
  const sortValueOf = (row: FoundRow) => {
    if (order === 'new') return row.createdAt;
    return order === 'played' ? row.plays : scoreOf({ ...row, tier: bestTier(plan, row) }, plan.words);
  };
  return rows
    .filter((row) => row.tier !== plan.forgiving?.place || isForgiven(plan.words, row))
    .map((row) => ({ id: row.id, value: sortValueOf(row) }))
    .filter((hit) => after === null || isBehind(hit, after))
    .sort((one, other) => (isBehind(one, other) ? 1 : -1))
    .slice(0, limit);
}

/**
 * Returns listed spaces with a tag, newest or most played first. The order by plays
 * considers the thousand newest.
 */
export async function spacesTagged(
  db: Db,
  { tag, spaceType }: { tag: string; spaceType: string | undefined },
  page: { order: 'plays' | 'created_at'; after: Cursor | null; limit: number },
): Promise<SpaceId[]> {
  return findLabelled(db, labelOf(tag, spaceType), page);
}

function isBehind(one: Cursor, other: Cursor): boolean {
  return one.value < other.value || (one.value === other.value && one.id < other.id);
}
