import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { oneOfList, rowsOfList } from './dialect.ts';
import { type Cells, type List, listOf } from './lists.ts';
import { type Given, prepared, preparedRead } from './prepared.ts';

for (const engine of engines) {
  describe(`a prepared statement on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let database: Database;
    before(async () => {
      test = await migratedDatabase(engine);
      ({ database } = test);
    });
    after(() => test.close());

    it('is compiled once for each list length, and runs with other values, inside and outside transactions', async () => {
      let built = 0;
      const put = prepared((db, { rows }: Given<{ rows: List<Cells> }>) => {
        built += 1;
        return sql`insert into settings (name, value) select c0, c1 from ${rowsOfList(db, rows, 2)} as given where true`;
      });
      const find = prepared((db, { names, not }: Given<{ names: List<string>; not: string }>) => {
        built += 1;
        return db
          .selectFrom('settings')
          .select('value')
          .where('name', 'in', oneOfList(db, names))
          .where('name', '!=', not)
          .where('name', '!=', 'd')
          .orderBy('name');
      });
      await database.transaction(async (tx) => {
        await put(tx.db, { rows: listOf([['a', '1']]) });
        assert.deepEqual(valuesOf(await find(tx.db, { names: listOf(['a']), not: '' })), ['1']);
      });
      await put(database.db, {
        rows: listOf([
          ['b', '2'],
          ['c', '3'],
          ['d', '4'],
        ]),
      });
      const names = listOf(['a', 'b', 'c', 'd']);
      assert.deepEqual(valuesOf(await find(database.db, { names, not: 'a' })), ['2', '3']);
      assert.deepEqual(valuesOf(await find(database.db, { names, not: 'c' })), ['1', '2']);
      // One statement with room for one row, one with room for four, and one for names, which need none.
      assert.equal(built, 3);
    });

    it('that reads does not wait for a transaction', async () => {
      const count = preparedRead(
        (_db, { name }: Given<{ name: string }>) =>
          sql<{
            n: number;
          }>`with found as (select 1 from settings where name = ${name}) select count(*) as n from found`,
      );
      await database.transaction(async (tx) => {
        await tx.db.insertInto('settings').values({ name: 'within', value: '' }).execute();
        // This transaction has SQLite's one writer: a writing statement outside of it would wait for its end.
        assert.deepEqual(valuesOf(await count(database.db, { name: 'within' })), [0]);
        assert.deepEqual(valuesOf(await count(tx.db, { name: 'within' })), [1]);
      });
    });
  });
}

/** The values of rows with one column. */
function valuesOf(rows: readonly object[]): unknown[] {
  return rows.flatMap((row) => Object.values(row));
}
