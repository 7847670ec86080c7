import { sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { docsWith, tokenText } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { frequenciesOf, isCommon } from './common.ts';
import type { Tier } from './tiers.ts';

export interface FoundRow {
  readonly tier: number;
  readonly id: SpaceId;
  /** Words as they are compared, separated by spaces. */
  readonly title: string;
  readonly names: string;
  /** Null unless it is requested, because it is long. */
  readonly description: string | null;
  readonly plays: number;
  readonly createdAt: number;
}

/** Returns what the tiers find, each up to its limit, with the best tier of each space. */
export async function findIn(
  db: Db,
  tiers: readonly Tier[],
  { withDescription }: { withDescription: boolean },
): Promise<FoundRow[]> {
  const frequencies = await frequenciesOf(db);
  const shapes = tiers.map(({ place, query, limit }) => ({
    place,
    limit,
    isCommon: isCommon(query, frequencies),
  }));
  const name = JSON.stringify([shapes, withDescription]);
  const find = known.get(name) ?? lookUp(shapes, withDescription);
  known.set(name, find);
  return find(db, { queries: listOf(tiers.map(({ query }) => [tokenText(db, query)])) });
}

type Shape = Pick<Tier, 'place' | 'limit'> & { readonly isCommon: boolean };

/** Statements by their group of tiers. The tokens are parameters. */
const known = new Map<string, ReturnType<typeof lookUp>>();

function lookUp(shapes: readonly Shape[], withDescription: boolean) {
  return prepared((db, { queries }: Given<{ queries: List<Cells> }>) => {
    const parts = shapes.map(({ place, ...how }, index) => {
      const docs = docsWith(db, queries.cell(index, 0), how);
      return sql`select ${sql.lit(place)} as tier, doc from (${docs}) as ${sql.ref(`tier_${place}`)}`;
    });
    // Tiers find mostly the same rows, so each row is read once.
    const found = sql<{ tier: number; doc: number }>`(
      select min(tier) as tier, doc from (${sql.join(parts, sql` union all `)}) as each_tier group by doc)`;
    return db
      .selectFrom(found.as<'found'>('found'))
      .innerJoin('search_docs as doc', 'doc.id', 'found.doc')
      .innerJoin('spaces as space', 'space.id', 'doc.space_id')
      .select([
        'found.tier',
        'space.id',
        'doc.title',
        'doc.names',
        'space.plays',
        'space.created_at as createdAt',
      ])
      .select(
        sql<string | null>`${withDescription ? sql.ref('space.description') : sql.lit(null)}`.as(
          'description',
        ),
      );
  });
}

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
