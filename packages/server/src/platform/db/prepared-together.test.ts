import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { preparedTogether } from './prepared-together.ts';
import type { Db } from './schema.ts';

/** Reads the names from one on, in order. */
const findNames = preparedTogether(
  ['from', 'limit'],
  (_db, { from, limit }) => sql<{ name: string; n: number }>`
    with wanted as materialized (
      select name from settings where name >= ${from} order by name limit cast(${limit} as integer))
    select name, (select count(*) from wanted) as n from wanted`,
);

for (const engine of engines) {
  describe(`reads of one moment on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let db: Db;
    before(async () => {
      test = await migratedDatabase(engine);
      ({ db } = test.database);
      const names = ['a', 'b', 'c', 'd,}"\\', 'e'];
      await db
        .insertInto('settings')
        .values(names.map((name) => ({ name, value: '' })))
        .execute();
    });
    after(() => test.close());

    const read = async (from: string, limit: number) =>
      (await findNames(db, { from, limit })).map(({ name, n }) => [name, n]);

    it('each get the rows for their own values', async () => {
      const found = await Promise.all([read('a', 2), read('c', 9), read('x', 3), read('a', 1), read('b', 2)]);
      assert.deepEqual(found, [
        [
          ['a', 2],
          ['b', 2],
        ],
        [
          ['c', 3],
          ['d,}"\\', 3],
          ['e', 3],
        ],
        [],
        [['a', 1]],
        [
          ['b', 2],
          ['c', 2],
        ],
      ]);
      assert.deepEqual(await read('d,}"\\', 1), [['d,}"\\', 1]]);
    });

    it('may be equal, and more than one statement takes', async () => {
      const found = await Promise.all(
        Array.from({ length: 100 }, (_, index) => read(`b${'!'.repeat(index % 50)}`, 1)),
      );
      assert.deepEqual(
        found.map(([first]) => first),
        Array.from({ length: 100 }, (_, index) => (index % 50 === 0 ? ['b', 1] : ['c', 1])),
      );
    });

    it('see what was committed before they were made', async () => {
      const before = read('f', 1);
      await db.insertInto('settings').values({ name: 'f', value: '' }).execute();
      assert.deepEqual(await read('f', 1), [['f', 1]]);
      await before;
    });
  });
}
