import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { explaining, withIndexesOnly } from '../../../test/explaining.ts';
import { dequeueAll } from '../jobs/dequeue.ts';

const onSqlite = engines.includes('sqlite');

it('rows that name a deleted one are found by indexes', { skip: !onSqlite }, async () => {
  const { database, close } = await migratedDatabase('sqlite');
  const { db } = database;
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  const scans: string[] = [];
  for (const table of tables.filter((name) => !name.startsWith('search_tokens'))) {
    const plan = await sql<{ detail: string }>`
      explain query plan delete from ${sql.table(table)} where rowid = 1`
      .execute(db as unknown as Kysely<never>)
      // A table that is kept by its key has no row numbers, and none of them is named by others.
      .catch((error: Error) => {
        assert.match(error.message, /no such column: rowid/u);
        return { rows: [] };
      });
    for (const { detail } of plan.rows) if (/^SCAN/u.test(detail)) scans.push(`${table}: ${detail}`);
  }
  await close();
  assert.deepEqual(scans, []);
});

for (const engine of engines)
  it(`the jobs about a deleted thing are found by an index, on ${engine}`, async () => {
    const { database, close } = await migratedDatabase(engine);
    const plans: unknown[] = [];
    await database.transaction(async (tx) => {
      if (engine === 'postgres') await withIndexesOnly(tx.db);
      await dequeueAll({ ...tx, db: tx.db.withPlugin(explaining(engine, plans)) }, 'ver_1');
    });
    await close();
    assert.match(JSON.stringify(plans), /jobs_ref/u);
  });
