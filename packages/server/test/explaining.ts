import { type KyselyPlugin, QueryNode, RawNode, type SelectQueryNode, sql } from 'kysely';
import type { Db } from '../src/platform/db/schema.ts';

/**
 * Makes every statement return its plan instead of its rows. Those of the query builder must be selects.
 * @param plans gets the plans too, for functions that make something else of the rows
 */
export function explaining(engine: string, plans: unknown[] = []): KyselyPlugin {
  const [words, more] =
    engine === 'sqlite' ? ['explain query plan ', sql`query plan`] : ['explain ', undefined];
  return {
    transformQuery: ({ node }) =>
      RawNode.is(node)
        ? RawNode.create([words, ''], [node])
        : QueryNode.cloneWithExplain(node as SelectQueryNode, undefined, more),
    transformResult: async ({ result }) => {
      plans.push(...result.rows);
      return result;
    },
  };
}

/**
 * Makes PostgreSQL read by indexes where it can, until the transaction ends. With empty tables it prefers to read and
 * sort all rows.
 */
export async function withIndexesOnly(db: Db): Promise<void> {
  for (const way of ['seqscan', 'sort', 'bitmapscan'])
    await sql`select set_config(${`enable_${way}`}, 'off', true)`.execute(db);
}
