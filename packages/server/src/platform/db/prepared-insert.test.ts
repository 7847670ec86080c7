import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { type Cells, mostRoom } from './lists.ts';
import { preparedInsert } from './prepared-insert.ts';

const columns = { name: 'text', value: 'text' } as const;
const add = preparedInsert('settings', columns);
const put = preparedInsert(
  'settings',
  columns,
  sql`on conflict (name) do update set value = settings.value || excluded.value`,
);
const addNew = preparedInsert('settings', columns, sql`on conflict do nothing`);

for (const engine of engines)
  describe(`a prepared insert on ${engine}`, () => {
    let database: Database;
    let close: () => Promise<void>;
    before(async () => {
      ({ database, close } = await migratedDatabase(engine));
    });
    after(() => close());
    beforeEach(async () => {
      await database.db.deleteFrom('settings').execute();
    });

    const stored = async (): Promise<Cells[]> => {
      const rows = await database.db
        .selectFrom('settings')
        .select(['name', 'value'])
        .orderBy('name')
        .execute();
      return rows.map(({ name, value }) => [name, value]);
    };

    it('writes any number of rows', async () => {
      for (const length of [0, 1, 2, 64, mostRoom, 2 * mostRoom + 7]) {
        await database.db.deleteFrom('settings').execute();
        const rows = Array.from(
          { length },
          (_, at): Cells => [`n${String(at).padStart(4, '0')}`, `${at} "'\\`],
        );
        await database.transaction((tx) => add(tx, rows));
        assert.deepEqual(await stored(), rows);
      }
    });

    it('does with rows that exist what its conflict clause says', async () => {
      await database.transaction((tx) => add(tx, [['a', '1']]));
      await database.transaction((tx) =>
        put(tx, [
          ['a', '2'],
          ['b', '3'],
        ]),
      );
      await database.transaction((tx) =>
        addNew(tx, [
          ['b', '4'],
          ['c', '5'],
        ]),
      );
      assert.deepEqual(await stored(), [
        ['a', '12'],
        ['b', '3'],
        ['c', '5'],
      ]);
    });

    it('writes nothing in a transaction that one of its rows fails', async () => {
      const rows = [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
        ['c', '4'],
      ];
      await assert.rejects(database.transaction((tx) => add(tx, rows)));
      assert.deepEqual(await stored(), []);
    });
  });
