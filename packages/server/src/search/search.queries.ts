import { type RawBuilder, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { docsWith, tokenKeys } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Json } from '../platform/db/json.ts';
import { preparedTogether } from '../platform/db/prepared-together.ts';
import type { Db } from '../platform/db/schema.ts';
import type { TokenQuery, TokenStatistics } from '../platform/db/token-query.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { blocksFor, statisticsOf } from './common.ts';
import { anywhereWith, mostIn, nearlyWith, type Plan, tiers } from './tiers.ts';

export interface FoundRow {
  readonly tier: number;
  readonly id: SpaceId;
  /** Words as they are compared, separated by spaces. */
  readonly title: string;
  readonly names: string;
  readonly tags: Json<string[]>;
  /** Null unless a tier that allows typos found the space, because it is long. */
  readonly description: string | null;
  readonly plays: number;
  readonly createdAt: number;
}

/** The tiers in the order in which they are looked up. */
const lookedUp = ['wholeTitle', 'beginningOfTitle', 'title', 'tags', 'anywhere', 'forgiving'] as const;
type LookedUp = (typeof lookedUp)[number];
const titles = lookedUp.slice(0, 3);

/** Searches that share a statement: together they take it some milliseconds, and all wait for the last of them. */
const mostTogether = 8;

/**
 * Returns what a plan finds, with the best tier that found each space. A tier is looked up only if those that rank
 * higher found fewer than `enough` spaces.
 */
export async function findIn(
  db: Db,
  { queries }: Plan,
  { enough }: { enough: number },
): Promise<readonly FoundRow[]> {
  const statistics = await statisticsOf(db);
  const each = lookedUp.map((tier) =>
    lookUpOf(db, tier, { query: queries[tier], limit: mostIn(tier), statistics }),
  );
  return findInTiers(db, Object.assign({ enough }, ...each));
}

const parts = ['0', '1', '2', '3', 'newest'] as const;
type PartOf<Name extends string> = `${Name} ${(typeof parts)[number]}`;

function partsOf<Name extends string>(name: Name): PartOf<Name>[] {
  return parts.map((part): PartOf<Name> => `${name} ${part}`);
}

/** Returns the values of a look-up that `docsOf` writes under the same name. */
function lookUpOf<Name extends string>(
  db: Db,
  name: Name,
  { query, limit, statistics }: { query: TokenQuery | null; limit: number; statistics: TokenStatistics },
): Record<PartOf<Name>, string | null> {
  const blocks = query && blocksFor(query, limit, statistics);
  const [first, second, third, fourth] = tokenKeys(db, query);
  const [newest] = tokenKeys(db, blocks && [blocks]);
  const values = [first, second, third, fourth, newest];
  // It has every part.
  return Object.fromEntries(partsOf(name).map((part, index) => [part, values[index]])) as Record<
    PartOf<Name>,
    string | null
  >;
}

function docsOf<Name extends string>(
  db: Db,
  given: Readonly<Record<PartOf<Name>, RawBuilder<unknown>>>,
  { name, limit }: { name: Name; limit: number },
): RawBuilder<unknown> {
  const key = (part: (typeof parts)[number]) => given[`${name} ${part}`];
  return docsWith(db, [key('0'), key('1'), key('2'), key('3')], { limit, newest: key('newest') });
}

const findInTiers = preparedTogether(
  [...lookedUp.flatMap(partsOf), 'enough'],
  (db, given) => {
    const mostOf = (names: readonly LookedUp[]) => {
      const counts = names.map((name) => sql`select count(*) as found from ${sql.ref(name)}`);
      return sql`(select max(found) from (${sql.join(counts, sql` union all `)}) as counts)`;
    };
    const enough = sql`cast(${given.enough} as integer)`;
    const needed: Readonly<Record<LookedUp, RawBuilder<unknown> | null>> = {
      wholeTitle: null,
      beginningOfTitle: sql`${mostOf(titles.slice(0, 1))} < ${enough}`,
      title: sql`${mostOf(titles.slice(0, 2))} < ${enough}`,
      tags: sql`${mostOf(titles)} < ${enough}`,
      anywhere: sql`${mostOf([...titles, 'tags'])} < ${enough}`,
      forgiving: sql`${mostOf([...titles, 'tags', 'anywhere'])} = 0`,
    };
    const lookUps = lookedUp.map((name) => {
      const most = sql.lit(mostIn(name));
      const isNeeded = needed[name];
      // Neither engine begins to look up what has a limit of 0.
      const limit = isNeeded === null ? most : sql`(select case when ${isNeeded} then ${most} else 0 end)`;
      const docs = docsOf<LookedUp>(db, given, { name, limit: mostIn(name) });
      return sql`${sql.ref(name)} as materialized (select doc from (${docs}) as docs limit ${limit})`;
    });
    const each = lookedUp.map(
      (name) => sql`select ${sql.lit(tiers[name])} as tier, doc from ${sql.ref(name)}`,
    );
    // Tiers find mostly the same rows, so each row is read once.
    return readFound([
      ...lookUps,
      sql`found as materialized (
        select min(tier) as tier, doc from (${sql.join(each, sql` union all `)}) as each_tier group by doc)`,
    ]);
  },
  mostTogether,
);

/**
 * Reads what spaces are ranked by, with the descriptions of those that were found by a typo. The last of `tables` is
 * `found`. It is their statement, so that PostgreSQL reads these rows for each search, and not all rows for all searches.
 */
function readFound(tables: readonly RawBuilder<unknown>[]): RawBuilder<FoundRow> {
  return sql`
    with ${sql.join(tables)}
    select found.tier, space.id, doc.title, doc.names, space.tags, space.plays, space.created_at as "createdAt",
      case when found.tier >= ${sql.lit(tiers.forgiving)} then space.description end as description
    from found
      join search_docs as doc on doc.id = found.doc
      join spaces as space on space.id = doc.space_id`;
}

/** Returns what one tier finds. */
export async function findInTier(
  db: Db,
  tier: 'description' | 'unfinished',
  query: TokenQuery,
): Promise<readonly FoundRow[]> {
  const lookUp = lookUpOf(db, 'only', { query, limit: mostIn(tier), statistics: await statisticsOf(db) });
  return findInOne(db, { ...lookUp, tier: tiers[tier] });
}

const findInOne = preparedTogether(
  [...partsOf('only'), 'tier'],
  (db, given) => {
    const docs = docsOf<'only'>(db, given, { name: 'only', limit: mostIn('unfinished') });
    return readFound([
      sql`found as materialized (select cast(${given.tier} as integer) as tier, doc from (${docs}) as docs)`,
    ]);
  },
  mostTogether,
);

/** Returns whether a space has a word, perhaps with a typo. It may also find words with two typos. */
export async function isNearAny(db: Db, word: string): Promise<boolean> {
  const exactly = anywhereWith(word);
  const statistics = await statisticsOf(db);
  const isCommon = blocksFor(exactly, 1, statistics) !== null;
  if (isCommon) return true;
  const rows = await findNear(db, {
    ...lookUpOf(db, 'exactly', { query: exactly, limit: 1, statistics }),
    ...lookUpOf(db, 'nearly', { query: nearlyWith(word), limit: 1, statistics }),
  });
  return rows.length > 0;
}

const findNear = preparedTogether(
  [...partsOf('exactly'), ...partsOf('nearly')],
  (db, given) => sql<object>`
    select 1 as one
    where exists (select doc from (${docsOf(db, given, { name: 'exactly', limit: 1 })}) as docs)
      or exists (select doc from (${docsOf(db, given, { name: 'nearly', limit: 1 })}) as docs)`,
  mostTogether,
);

/** Spaces with a word are counted up to this number. */
const mostCounted = 1_000;

/** Returns how many spaces have a word, roughly: at most `mostCounted`. */
export async function countWith(db: Db, word: string): Promise<number> {
  const query = anywhereWith(word);
  const lookUp = lookUpOf(db, 'word', { query, limit: mostCounted, statistics: await statisticsOf(db) });
  const [row] = await countDocs(db, lookUp);
  return row?.count ?? 0;
}

const countDocs = preparedTogether(
  partsOf('word'),
  (db, given) => sql<{ count: number }>`
    select count(*) as count from (${docsOf(db, given, { name: 'word', limit: mostCounted })}) as docs`,
  mostTogether,
);

/** The sort by plays considers this many of a tag's newest spaces. */
const mostRankedOfTag = 1_000;

/** Returns spaces with a label, those with the largest `order` first. */
export async function findLabelled(
  db: Db,
  label: string,
  { order, after, limit }: { order: 'plays' | 'created_at'; after: Cursor | null; limit: number },
): Promise<SpaceId[]> {
  if (order === 'created_at') {
    let query = db
      .selectFrom('search_labels as label')
      .select('label.space_id as id')
      .where('label.label', '=', label)
      .orderBy('label.created_at', 'desc')
      .orderBy('label.space_id', 'desc')
      .limit(limit);
    if (after) query = query.where(afterCursor('label.created_at', 'label.space_id', after));
    return (await query.execute()).map(({ id }) => id);
  }
  const newest = db
    .selectFrom('search_labels')
    .select('space_id')
    .where('label', '=', label)
    .orderBy('created_at', 'desc')
    .limit(mostRankedOfTag);
  let query = db
    .selectFrom(newest.as('label'))
    .innerJoin('spaces as space', 'space.id', 'label.space_id')
    .select('space.id')
    .orderBy('space.plays', 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit);
  if (after) query = query.where(afterCursor('space.plays', 'space.id', after));
  return (await query.execute()).map(({ id }) => id);
}
