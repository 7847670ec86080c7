import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../test/database.ts';
import { docsWith, type TokenQuery, tokenText } from '../platform/db/dialect.ts';

const rows = 20_000;
const onPostgres = engines.includes('postgres');

/** What is looked up: rare, everywhere, nowhere, and both of them together. */
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

it('rows are found by the index of their tokens, never by reading all of them', {
  skip: onPostgres ? false : 'SQLite has no other way to them',
}, async () => {
  const { database, close } = await migratedDatabase('postgres');
  try {
    const { db } = database;
    await sql`alter table search_docs drop constraint search_docs_space_id_fkey`.execute(db);
    // Every row has one of two tokens, and nearly none the one that it is looked for beside.
    await sql`
        insert into search_docs (space_id, title, names, tokens)
        select 'spc_' || n, 'title ' || n, '', array_to_tsvector(array['t_often', 't_' || n, 'd_' || (n * 7) % 9000,
          case when n % 5000 = 0 then 't_rare' else 'd_' || n end, case when n % 2 = 0 then 't_even' else 't_odd' end])
        from generate_series(1, ${sql.lit(rows)}) as n`.execute(db);
    await sql`analyze search_docs`.execute(db);
    for (const query of queries) {
      for (const how of ['', '(generic_plan)']) {
        // The plan for these tokens, and the one for any, which a named statement is run by.
        const tokens = how === '' ? sql.lit(tokenText(db, query)) : sql.raw('$1');
        const explain = sql<Record<string, string>>`explain ${sql.raw(how)} ${docsWith(db, tokens, 40)}`;
        const { rows: explained } = await explain.execute(db);
        const plan = explained.flatMap((row) => Object.values(row)).join('\n');
        assert.match(plan, /Bitmap Index Scan on search_docs_tokens/u, plan);
        assert.doesNotMatch(plan, /Seq Scan on search_docs/u, plan);
      }
    }
  } finally {
    await close();
  }
});
