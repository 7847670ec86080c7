import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { labelOf } from './index.queries.ts';
import { isForgiven, scoreOf } from './rank.ts';
import { type FoundRow, findIn, findLabelled } from './search.queries.ts';
import { type Asked, planOf, type Tier } from './tiers.ts';

export { indexSpaces } from './index.queries.ts';
export { isListed, isPublic } from './listed.queries.ts';

export type SearchOrder = 'best' | 'new' | 'played';

export interface Hit {
  readonly id: SpaceId;
  /** The sort value of the list: the largest first, and among equal values the largest id. */
  readonly value: number;
}

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
  const found = new Map<SpaceId, FoundRow>();
  const look = async (tiers: readonly Tier[], isForgiving = false) => {
    for (const row of await findIn(db, tiers, { withDescription: isForgiving })) {
      const before = found.get(row.id);
      if (before !== undefined && before.tier <= row.tier) continue;
      if (!isForgiving || isForgiven(plan.words, row)) found.set(row.id, row);
    }
  };
  const sortValueOf = (row: FoundRow) => {
    if (order === 'new') return row.createdAt;
    return order === 'played' ? row.plays : scoreOf(row, plan.words);
  };
  const hits = () =>
    [...found.values()]
      .map((row) => ({ id: row.id, value: sortValueOf(row) }))
      .filter((hit) => after === null || isBehind(hit, after))
      .sort((one, other) => (isBehind(one, other) ? 1 : -1))
      .slice(0, limit);

  await look(plan.inTitles);
  // All other tiers rank lower.
  const page = order === 'best' ? hits() : [];
  if (page.length === limit) return page;
  await look([plan.anywhere]);
  if (found.size > 0) await look(plan.between);
  else if (plan.forgiving) await look([plan.forgiving], true);
  return hits();
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
