import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migratedDatabase } from '../../../test/database.ts';

it('limits are compiled so that SQLite uses the same plan for every limit', async () => {
  const { database, close } = await migratedDatabase('sqlite');
  const query = database.db.selectFrom('settings').selectAll().orderBy('name').limit(2).offset(1);
  assert.match(query.compile().sql, /limit cast\(\? as integer\) offset cast\(\? as integer\)$/u);
  await database.db
    .insertInto('settings')
    .values(['a', 'b', 'c', 'd'].map((name) => ({ name: `~${name}`, value: '' })))
    .execute();
  const page = (limit: number, offset: number) =>
    database.db
      .selectFrom('settings')
      .select('name')
      .where('name', '>=', '~')
      .orderBy('name')
      .limit(limit)
      .offset(offset)
      .execute();
  const names = async (limit: number, offset: number) => (await page(limit, offset)).map(({ name }) => name);
  assert.deepEqual(await names(2, 1), ['~b', '~c']);
  assert.deepEqual(await names(1, 3), ['~d']);
  assert.deepEqual(await names(0, 0), []);
  await close();
});
