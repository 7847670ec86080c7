import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { emptyDatabase, testRules, withoutPostgres } from '../../../test/database.ts';
import { explained } from '../../commands/failures.ts';
import { lookAtDatabase } from '../../doctor/look-at-backing.ts';
import { openDatabase } from './database.ts';
import { isUnavailable } from './failures.ts';

describe('a node on PostgreSQL behind a pooler', { skip: withoutPostgres }, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  /** Announcements in this database do not arrive in the other one, as behind a pooler. */
  let elsewhere: Awaited<ReturnType<typeof emptyDatabase>>;
  before(async () => {
    test = await emptyDatabase('postgres');
    elsewhere = await emptyDatabase('postgres');
  });
  after(async () => {
    await test.close();
    await elsewhere.close();
  });

  it('knows that it hears nothing, so that it trusts no cache, and says what to do', async () => {
    const settings = { ...test.settings, directUrl: elsewhere.settings.url, timing: { hearMs: 100 } };
    const database = await openDatabase(settings, testRules);
    try {
      assert.equal(database.announcements.isDeaf, true);
      const { state, said, advice } = await lookAtDatabase(database);
      assert.equal(state, 'wrong');
      assert.match(`${said} ${advice}`, /pooler.*DATABASE_DIRECT_URL/u);
    } finally {
      await database.close();
    }
  });

  it('hears other nodes at the address past the pooler', async () => {
    const [here, there] = await Promise.all(
      [1, 2].map(() => openDatabase({ ...test.settings, directUrl: test.settings.url }, testRules)),
    );
    assert.ok(here && there);
    try {
      assert.equal(here.announcements.isDeaf, false);
      const heard = new Promise((resolve) => here.announcements.listen('thing', resolve));
      await there.transaction(async (tx) => tx.announce('thing', 'changed'));
      assert.equal(await heard, 'changed');
    } finally {
      await Promise.all([here.close(), there.close()]);
    }
  });

  it('is not started where the pooler refuses the time limit of statements', () => {
    const error = new pg.DatabaseError('unsupported startup parameter: statement_timeout', 0, 'error');
    error.code = '08P01';
    assert.equal(isUnavailable(error), false);
    assert.match(explained(error, {}) ?? '', /ignore_startup_parameters = statement_timeout/u);
  });
});
