import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { labelOf } from './index.queries.ts';
import { isForgiven, scoreOf } from './rank.ts';
import { countWith, type FoundRow, findIn, findInTier, findLabelled, isNearAny } from './search.queries.ts';
import { type Asked, bestTier, type Plan, planOf, tiers } from './tiers.ts';

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
 * search ends after some hundred results, however many more there are. If nothing has all words, common words are
 * left out.
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
  const find = (wanted: Plan) => findHits(db, wanted, { order, enough, typed: plan.words });
  const withAll = await find(plan);
  const found = withAll.length > 0 ? withAll : await withoutCommonWords(db, asked, plan.words, find);
  return found
    .filter((hit) => after === null || isBehind(hit, after))
    .sort((one, other) => (isBehind(one, other) ? 1 : -1))
    .slice(0, limit);
}

/** Returns everything that a plan finds. The words of titles that were `typed` count, also those that it leaves out. */
async function findHits(
  db: Db,
  plan: Plan,
  { order, enough, typed }: { order: SearchOrder; enough: number; typed: readonly string[] },
): Promise<Hit[]> {
  const { words, queries } = plan;
  const withBest = (row: FoundRow): FoundRow => ({ ...row, tier: bestTier(words, row) });
  const hitOf = (row: FoundRow): Hit => ({ id: row.id, value: sortValueOf(row) });
  const sortValueOf = (row: FoundRow) => {
    if (order === 'new') return row.createdAt;
    return order === 'played' ? row.plays : scoreOf(row, typed);
  };
  const rows = (await findIn(db, plan, { enough })).map(withBest);
  const fitting = rows.filter(
    (row) => row.tier !== tiers.forgiving || isForgiven(words, row, { beginnings: false }),
  );
  if (fitting.length > 0) {
    const isByCreator = ({ tier }: FoundRow) => tier === tiers.anywhere;
    const better = fitting.filter(({ tier }) => tier < tiers.anywhere);
    const isComplete = order !== 'best' || better.length >= enough || !fitting.some(isByCreator);
    // Some have a word only in their creators' names. If more fit than are ranked, others may have all in descriptions.
    const described = isComplete ? [] : await findInTier(db, 'description', queries.description);
    const bestLast = [...fitting, ...described, ...better];
    return [...new Map(bestLast.map((row) => [row.id, row])).values()].map(hitOf);
  }
  if (queries.unfinished === null) return [];
  const others = await findInTier(db, 'unfinished', queries.unfinished);
  return others.filter((row) => isForgiven(words, row, { beginnings: true })).map(hitOf);
}

/**
 * Leaves out the most common word, then the next, until something has all that are left. A word that no space has
 * is never left out, so nothing is found if no space has it with a typo either.
 */
async function withoutCommonWords(
  db: Db,
  asked: Asked,
  words: readonly string[],
  find: (plan: Plan) => Promise<Hit[]>,
): Promise<Hit[]> {
  if (words.length === 1) return [];
  const areNear = await Promise.all(words.map((word) => isNearAny(db, word)));
  if (areNear.includes(false)) return [];
  const each = words.map(async (word) => [word, await countWith(db, word)] as const);
  const counts = new Map(await Promise.all(each));
  const countOf = (word: string) => counts.get(word) ?? 0;
  const common = words.filter((word) => countOf(word) > 0);
  let left = words;
  for (const word of common.toSorted((one, other) => countOf(other) - countOf(one))) {
    left = left.filter((other) => other !== word);
    const plan = planOf({ ...asked, q: left.join(' ') });
    if (plan === null) return [];
    // On SQLite each of these searches is some of this turn.
    await nextTurn();
    const found = await find(plan);
    if (found.length > 0) return found;
  }
  return [];
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
