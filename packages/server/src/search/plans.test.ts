import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { engines, migratedDatabase } from '../../test/database.ts';
import { docsWith, findTokenStatistics, type TokenKeys, tokenKeys } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';
import { newestBlocks, type TokenQuery } from '../platform/db/token-query.ts';
import { blocksFor } from './common.ts';

const rows = 20_000;
const onPostgres = engines.includes('postgres');

/** Queries for tokens that are rare, frequent or unknown, and for combinations of them. */
const queries: readonly TokenQuery[] = [
  [['t_rare']],
  [['t_nowhere']],
  [['t_often'], ['t_nowhere']],
  [
    ['t_often', 'g_often', 'd_often'],
    ['t_rare', 'g_rare', 'x_rare'],
  ],
  [['t_often'], ['t_odd']],
];

describe('a search on PostgreSQL', { skip: onPostgres ? false : 'SQLite has one way to rows' }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  let db: Db;
  before(async () => {
    test = await migratedDatabase('postgres');
    ({ db } = test.database);
    await sql`alter table search_docs drop constraint search_docs_space_id_fkey`.execute(db);
    // Every row has t_even or t_odd, and almost none has t_rare, which they are combined with. The rows with t_old
    // are not the newest ones.
    await sql`
        insert into search_docs (space_id, title, names, tokens)
        select 'spc_' || n, 'title ' || n, '', array_to_tsvector(array['t_often', 't_' || n, 'd_' || (n * 7) % 9000,
          case when n % 5000 = 0 then 't_rare' else 'd_' || n end, case when n % 2 = 0 then 't_even' else 't_odd' end,
          case when n <= 10000 then 't_old' else 't_new' end, 'b64_' || n / 64, 'b512_' || n / 512,
          'b4096_' || n / 4096])
        from generate_series(1, ${sql.lit(rows)}) as n`.execute(db);
    await sql`analyze search_docs`.execute(db);
  });
  after(() => test.close());

  const planned = async (how: string, docs: RawBuilder<unknown>) => {
    const { rows: lines } = await sql<Record<string, string>>`explain ${sql.raw(how)} ${docs}`.execute(db);
    return lines.flatMap((line) => Object.values(line)).join('\n');
  };

  for (const query of queries)
    it(`uses the index for ${tokenNames(query)}, and never reads all rows`, async () => {
      // The plan for these tokens, and the generic plan, by which named statements are run.
      const generic = [sql`$1`, sql`$2`, sql`$3`, sql`$4`] as const;
      for (const [how, keys] of [
        ['', literal(tokenKeys(db, query))],
        ['(generic_plan)', generic],
      ] as const) {
        const plan = await planned(how, docsWith(db, keys, { limit: 40 }));
        assert.match(plan, /Bitmap Index Scan on search_docs_tokens/u, plan);
        assert.doesNotMatch(plan, /Seq Scan on search_docs/u, plan);
      }
    });

  it('finds out from the statistics which words are common', async () => {
    const statistics = await findTokenStatistics(db);
    assert.equal(statistics.newest, rows);
    const isCommon = (query: TokenQuery, known = statistics) => blocksFor(query, 40, known) !== null;
    assert.deepEqual(queries.filter((query) => isCommon(query)).map(tokenNames), ['t_often, t_odd']);
    assert.equal(isCommon([['t_even', 't_odd'], ['t_old']]), true);
    assert.equal(isCommon([['t_often']], { ...statistics, frequencies: new Map() }), false);
    assert.equal(isCommon([['t_often']], { ...statistics, rows: 300 }), false);
  });

  const amongFirst = async (query: TokenQuery) => {
    const blocks = [newestBlocks(await findTokenStatistics(db), 500)];
    const [newest] = literal(tokenKeys(db, blocks));
    return docsWith(db, literal(tokenKeys(db, query)), { limit: 40, newest });
  };

  it('lists only the newest of the rows with common words', async () => {
    const plan = await planned('(analyze)', await amongFirst([['t_often'], ['t_odd']]));
    assert.match(plan, /Bitmap Index Scan on search_docs_tokens .*rows=[2-9]\d\d\b/u, plan);
    assert.match(plan, /Bitmap Index Scan on search_docs_tokens .*\(never executed\)/u, plan);
    const { rows: found } = await sql<{ doc: number }>`${await amongFirst([['t_often'], ['t_odd']])}`.execute(
      db,
    );
    assert.equal(found.length, 40);
    for (const { doc } of found) assert.ok(doc > rows - 10 * 64, String(doc));
  });

  it('lists all rows when the newest are not enough', async () => {
    for (const [query, count] of [
      [[['t_old']], 40],
      [[['t_even'], ['t_odd']], 0],
      [[['t_new'], ['t_rare']], 2],
    ] as const) {
      const { rows: found } = await sql<{ doc: number }>`${await amongFirst(query)}`.execute(db);
      assert.equal(new Set(found.map(({ doc }) => doc)).size, count);
    }
  });
});

function literal([first, second, third, fourth]: TokenKeys): TokenKeys<RawBuilder<unknown>> {
  return [sql.lit(first), sql.lit(second), sql.lit(third), sql.lit(fourth)];
}

function tokenNames(query: TokenQuery): string {
  return query.map((any) => any[0]).join(', ');
}
