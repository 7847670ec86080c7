import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emptyDatabase, testRules, withoutPostgres } from '../../../test/database.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';
import type { Db } from './schema.ts';

it('a postgres server that only reads, as after a switch to another one, is unavailable for writes', {
  skip: withoutPostgres,
}, async () => {
  const test = await emptyDatabase('postgres');
  try {
    await migrate((await test.open()).db);
    const url = new URL(test.settings.url ?? '');
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const reader = await openDatabase({ ...test.settings, url: url.href }, testRules);
    try {
      assert.deepEqual(await reader.db.selectFrom('settings').selectAll().execute(), []);
      const write = (db: Db) => db.insertInto('settings').values({ name: 'unwritten', value: '' }).execute();
      await assert.rejects(write(reader.db), isUnavailable);
      await assert.rejects(
        reader.transaction((tx) => write(tx.db)),
        isUnavailable,
      );
    } finally {
      await reader.close();
    }
  } finally {
    await test.close();
  }
});
