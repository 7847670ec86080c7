import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { isUnavailable } from './failures.ts';
import type { Db } from './schema.ts';
import { SqliteDriver } from './sqlite-driver.ts';

describe('the sqlite driver', { skip: !engines.includes('sqlite') }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  const add = (name: string) => database.db.insertInto('settings').values({ name, value: '' }).execute();
  const names = async () => {
    const rows = await database.db.selectFrom('settings').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  };

  before(async () => {
    test = await migratedDatabase('sqlite');
    database = test.database;
  });
  beforeEach(() => database.db.deleteFrom('settings').execute());
  after(() => test.close());

  it('writes a log that a power cut leaves readable, and enforces foreign keys', async () => {
    const pragma = async (name: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(database.db);
      return rows[0]?.[name];
    };
    assert.equal(await pragma('journal_mode'), 'wal');
    // NORMAL: what makes commits durable is LogFlush.
    assert.equal(await pragma('synchronous'), 1);
    assert.equal(await pragma('foreign_keys'), 1);
  });

  it('lets other work run between many statements in a row, also within a transaction', async () => {
    const count = sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < 100000) select max(n) from n)`;
    const inARow = async (db: Db) => {
      let turns = 0;
      let next = setImmediate(function turn() {
        turns++;
        next = setImmediate(turn);
      });
      for (let times = 0; times < 20; times++) await db.selectNoFrom(count.as('n')).execute();
      clearImmediate(next);
      return turns;
    };
    assert.ok((await inARow(database.db)) > 1);
    assert.ok((await database.transaction((tx) => inARow(tx.db))) > 1);
    assert.ok((await database.snapshot(inARow)) > 1);
  });

  it('refuses a statement that bypasses the open transaction', async () => {
    const around = database.transaction(() => add('around'));
    await assert.rejects(around, /^Error: A statement outside the transaction, inside one: insert into/u);
    assert.deepEqual(await names(), []);
  });

  it('refuses a nested transaction', async () => {
    const nested = database.transaction(() => database.transaction(async () => {}));
    await assert.rejects(nested, /A transaction inside a transaction/u);
    await add('works again');
  });

  it('lets reads run beside an open transaction, and they see the last commit', async () => {
    await add('before');
    await database.transaction(async (tx) => {
      await tx.db.insertInto('settings').values({ name: 'within', value: '' }).execute();
      assert.deepEqual(await names(), ['before']);
    });
    assert.deepEqual(await names(), ['before', 'within']);
  });

  it('lets writes outside a transaction wait for its end', async () => {
    const order: string[] = [];
    const opened = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const transaction = database.transaction(async () => {
      opened.resolve();
      await release.promise;
      order.push('transaction');
    });
    await opened.promise;
    const write = add('waits').then(() => order.push('write'));
    release.resolve();
    await Promise.all([transaction, write]);
    assert.deepEqual(order, ['transaction', 'write']);
  });

  it('leaves the next transaction alone when one is rolled back after its commit failed', async () => {
    const driver = new SqliteDriver(test.settings.file);
    const [first, second] = [await driver.acquireConnection(), await driver.acquireConnection()];
    const run = (connection: typeof first, text: string) => connection.executeQuery(CompiledQuery.raw(text));
    await driver.beginTransaction(first);
    await run(first, 'pragma defer_foreign_keys = on');
    await run(first, `insert into taken_down_versions (hash, version_id) values ('nowhere', 'nowhere')`);
    const begun = driver.beginTransaction(second);
    await assert.rejects(driver.commitTransaction(first), /FOREIGN KEY constraint failed/u);
    await begun;
    await run(second, `insert into settings (name, value) values ('second', '')`);
    await driver.rollbackTransaction(first);
    await driver.commitTransaction(second);
    await driver.destroy();
    assert.deepEqual(await names(), ['second']);
  });

  it('returns how many rows a statement has changed', async () => {
    await add('a');
    const update = database.db.updateTable('settings').set({ value: 'new' });
    assert.equal((await update.where('name', '=', 'a').executeTakeFirst()).numUpdatedRows, 1n);
    assert.equal((await update.where('name', '=', 'b').executeTakeFirst()).numUpdatedRows, 0n);
    const returned = await update.returning('name').execute();
    assert.equal(returned[0]?.name, 'a');
  });

  describe('while another process holds the write lock', () => {
    let other: DatabaseSync;
    before(() => {
      other = new DatabaseSync(test.settings.file);
    });
    beforeEach(() => other.exec('begin immediate'));
    after(() => other.close());

    it('reads, and writes once the lock is free', async () => {
      const write = add('late');
      const transaction = database.transaction((tx) =>
        tx.db.insertInto('settings').values({ name: 'later', value: '' }).execute(),
      );
      assert.deepEqual(await names(), []);
      other.exec('rollback');
      await Promise.all([write, transaction]);
      assert.deepEqual(await names(), ['late', 'later']);
    });

    it('is unavailable for all waiting callers at once', async () => {
      const startedAt = performance.now();
      const writes = [add('a'), add('b'), database.transaction(async () => {})];
      for (const result of await Promise.allSettled(writes)) {
        assert.equal(result.status, 'rejected');
        assert.ok(isUnavailable(result.reason));
      }
      // Each waits 1.5 seconds: one after the other they would take at least three times as long.
      const took = performance.now() - startedAt;
      assert.ok(took < 4_500, `${took} ms`);
      other.exec('rollback');
      await add('free');
      assert.deepEqual(await names(), ['free']);
    });
  });
});
