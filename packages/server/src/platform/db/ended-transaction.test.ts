import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { isUnavailable } from './failures.ts';
import type { Db } from './schema.ts';

/** Fails, and ends its transaction, as a full disk may do in any statement. */
const endTransaction = (db: Db) =>
  sql`insert or rollback into settings (name, value) values ('there', '')`.execute(db);

it('nothing is written after SQLite has ended a transaction, also by statements side by side', {
  skip: !engines.includes('sqlite'),
}, async (context) => {
  const { database, close } = await migratedDatabase('sqlite');
  context.after(() => close());
  const write = (db: Db, name: string) => db.insertInto('settings').values({ name, value: '' }).execute();
  const names = async () =>
    (await database.db.selectFrom('settings').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    );
  await write(database.db, 'there');
  const before = await names();
  const sideBySide = database.transaction(({ db }) =>
    Promise.all([write(db, 'first'), endTransaction(db), write(db, 'beside')]),
  );
  await assert.rejects(sideBySide);
  const goesOn = database.transaction(async ({ db }) => {
    await endTransaction(db).catch(() => {});
    await write(db, 'after');
  });
  await assert.rejects(goesOn, isUnavailable);
  const isCaught = database.transaction(({ db }) => endTransaction(db).catch(() => {}));
  await assert.rejects(isCaught, isUnavailable);
  assert.deepEqual(await names(), before);
  await database.transaction(({ db }) => write(db, 'next'));
  assert.deepEqual(await names(), [...before, 'next'].toSorted());
});
