import { type RawBuilder, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { docsWith, tokenText } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Json } from '../platform/db/json.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared, preparedRead } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { narrowed, statisticsOf } from './common.ts';
import { anywhereWith, mostInTier, type Plan, type Tier } from './tiers.ts';

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

/**
 * Returns what a plan finds, with the best tier that found each space. A tier is looked up only if those that rank
 * higher found fewer than `enough` spaces.
 */
export async function findIn(
  db: Db,
  { inTitles, anywhere, between, forgiving }: Plan,
  { enough }: { enough: number },
): Promise<FoundRow[]> {
  const statistics = await statisticsOf(db);
  const tiers = [...inTitles, anywhere, ...between, ...(forgiving ? [forgiving] : [])];
  const newest = tiers.map(({ query, limit }) => narrowed(query, limit, statistics));
  const shapes = {
    tiers: tiers.map(({ place, limit }, index) => ({ place, limit, isCommon: newest[index] !== null })),
    inTitles: inTitles.length,
    forgiving: forgiving?.place,
  };
  const name = JSON.stringify(shapes);
  const find = known.get(name) ?? lookUp(shapes);
  known.set(name, find);
  const queries = tiers.map(({ query }, index) => {
    const amongNewest = newest[index];
    return [tokenText(db, query), amongNewest ? tokenText(db, amongNewest) : null];
  });
  return find(db, { queries: listOf(queries), enough });
}

interface Shapes {
  readonly tiers: readonly (Pick<Tier, 'place' | 'limit'> & { readonly isCommon: boolean })[];
  /** The number of tiers for titles, which are the first ones. */
  readonly inTitles: number;
  /** The place of the forgiving tier, if there is one. */
  readonly forgiving: number | undefined;
}

/** Statements by the shapes of their tiers. The tokens are parameters. */
const known = new Map<string, ReturnType<typeof lookUp>>();

function lookUp({ tiers, inTitles, forgiving }: Shapes) {
  return prepared((db, { queries, enough }: Given<{ queries: List<Cells>; enough: number }>) => {
    const nameOf = (index: number) => sql.ref(`tier_${tiers[index]?.place}`);
    const mostOf = (indexes: readonly number[]) => {
      const counts = indexes.map((index) => sql`select count(*) as found from ${nameOf(index)}`);
      return sql`(select max(found) from (${sql.join(counts, sql` union all `)}) as counts)`;
    };
    const titles = Array.from({ length: inTitles }, (_, index) => index);
    const wanted = sql`cast(${enough} as integer)`;
    const isNeeded = (index: number): RawBuilder<unknown> | null => {
      if (index === 0) return null;
      if (index < inTitles) return sql`${mostOf(titles.slice(0, index))} < ${wanted}`;
      if (index === inTitles) return sql`${mostOf(titles)} < ${wanted}`;
      if (tiers[index]?.place === forgiving) return sql`${mostOf([...titles, inTitles])} = 0`;
      const isFull = sql`${mostOf([inTitles])} = ${sql.lit(tiers[inTitles]?.limit)}`;
      if (index === inTitles + 1) return isFull;
      return sql`${isFull} and ${mostOf([index - 1])} < ${wanted}`;
    };
    const parts = tiers.map((tier, index) => {
      const needed = isNeeded(index);
      const most = sql.lit(tier.limit);
      // Neither engine begins to look up what has a limit of 0.
      const limit = needed === null ? most : sql`(select case when ${needed} then ${most} else 0 end)`;
      const newest = tier.isCommon ? queries.cell(index, 1) : null;
      const docs = docsWith(db, queries.cell(index, 0), { limit: tier.limit, newest });
      return sql`${nameOf(index)} as materialized (select doc from (${docs}) as docs limit ${limit})`;
    });
    const each = tiers.map(
      ({ place }, index) => sql`select ${sql.lit(place)} as tier, doc from ${nameOf(index)}`,
    );
    // Tiers find mostly the same rows, so each row is read once.
    const found = sql<Found>`(
      with ${sql.join(parts)}
      select min(tier) as tier, doc from (${sql.join(each, sql` union all `)}) as each_tier group by doc)`;
    return readFound(db, found, forgiving);
  });
}

interface Found {
  readonly tier: number;
  readonly doc: number;
}

/** Reads what spaces are ranked by, with the descriptions of those that the tier `forgiving` found. */
function readFound(db: Db, found: RawBuilder<Found>, forgiving: number | undefined) {
  const description =
    forgiving === undefined
      ? sql<null>`null`
      : sql<string | null>`case when found.tier = ${sql.lit(forgiving)} then space.description end`;
  return db
    .selectFrom(found.as<'found'>('found'))
    .innerJoin('search_docs as doc', 'doc.id', 'found.doc')
    .innerJoin('spaces as space', 'space.id', 'doc.space_id')
    .select([
      'found.tier',
      'space.id',
      'doc.title',
      'doc.names',
      'space.tags',
      'space.plays',
      'space.created_at as createdAt',
    ])
    .select(description.as('description'));
}

/** Returns what the tier for unfinished words finds, with descriptions. */
export async function findUnfinished(db: Db, { place, query }: Tier): Promise<FoundRow[]> {
  const rows = await findDescribed(db, { tokens: tokenText(db, query) });
  return rows.map((row) => ({ ...row, tier: place }));
}

const findDescribed = prepared((db, { tokens }: Given<{ tokens: string }>) => {
  const docs = docsWith(db, tokens, { limit: mostInTier });
  return readFound(db, sql<Found>`(select 0 as tier, doc from (${docs}) as docs)`, 0);
});

/** Spaces with a word are counted up to this number. */
const mostCounted = 1_000;

/** Returns how many spaces have a word, roughly: at most `mostCounted`. */
export async function countWith(db: Db, word: string): Promise<number> {
  const query = anywhereWith(word);
  const newest = narrowed(query, mostCounted, await statisticsOf(db));
  const [row] = await countDocs(db, {
    tokens: tokenText(db, query),
    newest: newest ? tokenText(db, newest) : null,
  });
  return row?.count ?? 0;
}

const countDocs = preparedRead(
  (db, { tokens, newest }: Given<{ tokens: string; newest: string | null }>) =>
    sql<{ count: number }>`
      select count(*) as count from (${docsWith(db, tokens, { limit: mostCounted, newest })}) as docs`,
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
