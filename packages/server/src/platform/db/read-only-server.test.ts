import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, testRules, withoutPostgres } from '../../../test/database.ts';
import { lookAtDatabase } from '../../doctor/look-at-backing.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';

describe('a postgres server that takes no writes', { skip: withoutPostgres }, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  let database: Database;
  before(async () => {
    test = await emptyDatabase('postgres');
    database = await openDatabase({ ...test.settings, maxConnections: 1 }, testRules);
    await migrate(database.db);
  });
  after(async () => {
    await database.close();
    await test.close();
  });

  const becomeReadOnly = () => sql`set default_transaction_read_only = on`.execute(database.db);
  const row = { name: 'written', value: 'after a failover' };
  const uses: Record<string, () => Promise<unknown>> = {
    'a ping': () => database.ping(),
    'a statement': () => database.db.insertInto('settings').values(row).execute(),
    'a transaction': () => database.transaction(({ db }) => db.insertInto('settings').values(row).execute()),
  };
  for (const [what, use] of Object.entries(uses))
    it(`is unavailable to ${what}, and the next one gets another connection`, async () => {
      await becomeReadOnly();
      await assert.rejects(use(), isUnavailable);
      await use();
      await database.db.deleteFrom('settings').where('name', '=', row.name).execute();
    });

  it('is what the doctor says', async () => {
    await becomeReadOnly();
    const { state, said, advice } = await lookAtDatabase(database);
    assert.equal(state, 'wrong');
    assert.match(`${said} ${advice}`, /takes no writes.*the primary/u);
    assert.notEqual((await lookAtDatabase(database)).state, 'wrong');
  });
});
