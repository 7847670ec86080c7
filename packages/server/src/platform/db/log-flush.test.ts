import assert from 'node:assert/strict';
import { fstatSync, statSync } from 'node:fs';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CompiledQuery } from 'kysely';
import { engines, migratedDatabase, testRules } from '../../../test/database.ts';
import { isUnavailable } from './failures.ts';
import { LogFlush } from './log-flush.ts';
import { openSqlite } from './open-sqlite.ts';
import { SqliteDriver } from './sqlite-driver.ts';

/** Flushes that end when the test says so. */
class HeldFlushes {
  readonly under: ((error: Error | null) => void)[] = [];
  readonly files: number[] = [];
  readonly flush = (file: number, done: (error: Error | null) => void) => {
    this.files.push(file);
    this.under.push(done);
  };

  end(error: Error | null = null): void {
    const done = this.under.shift();
    assert.ok(done, 'a flush is under way');
    done(error);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Notes whether a promise is settled. */
function watched(promise: Promise<unknown>): { state: 'waits' | 'done' | 'failed' } {
  const seen: { state: 'waits' | 'done' | 'failed' } = { state: 'waits' };
  promise.then(
    () => (seen.state = 'done'),
    () => (seen.state = 'failed'),
  );
  return seen;
}

describe('flushes of the log', () => {
  const logOf = (held: HeldFlushes) => new LogFlush(import.meta.filename, held.flush);

  it('are shared by all that commit during one, which begin with the next', async () => {
    const held = new HeldFlushes();
    const log = logOf(held);
    const first = watched(log.flushed());
    const later = [watched(log.flushed()), watched(log.flushed())];
    held.end();
    await turn();
    assert.equal(first.state, 'done');
    assert.deepEqual(
      later.map(({ state }) => state),
      ['waits', 'waits'],
    );
    held.end();
    await turn();
    assert.deepEqual(
      later.map(({ state }) => state),
      ['done', 'done'],
    );
    assert.equal(held.files.length, 2);
    await log.close();
  });

  it('fail for good after one has failed', async () => {
    const held = new HeldFlushes();
    const log = logOf(held);
    const failed = log.flushed();
    const next = log.flushed();
    held.end(new Error('EIO: i/o error, fdatasync'));
    for (const each of [failed, next, log.flushed()])
      await assert.rejects(
        each,
        (error) => isUnavailable(error) && /start the service again/u.test(String(error)),
      );
    assert.throws(() => log.requireSound(), isUnavailable);
    assert.equal(held.files.length, 1);
    await log.close();
  });

  it('fail where the log is gone', async () => {
    const log = new LogFlush('/nowhere/spaceport.db-wal');
    await assert.rejects(log.flushed(), isUnavailable);
    await log.close();
  });
});

describe('a commit on SQLite', { skip: !engines.includes('sqlite') }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  let held: HeldFlushes;
  let driver: SqliteDriver;
  before(async () => {
    test = await migratedDatabase('sqlite');
  });
  beforeEach(() => {
    held = new HeldFlushes();
    driver = new SqliteDriver(test.settings.file, undefined, held.flush);
  });
  after(() => test.close());
  const write = async (name: string) =>
    (await driver.acquireConnection()).executeQuery(
      CompiledQuery.raw(`insert into settings (name, value) values ('${name}', '')`),
    );

  it('is read at once, and answered when it is on the disk', async () => {
    const written = write('slow');
    const seen = watched(written);
    await turn();
    const rows = await test.database.db
      .selectFrom('settings')
      .select('name')
      .where('name', '=', 'slow')
      .execute();
    assert.equal(rows.length, 1);
    assert.equal(seen.state, 'waits');
    assert.equal(fstatSync(held.files[0] ?? -1).ino, statSync(`${test.settings.file}-wal`).ino);
    held.end();
    await written;
    await driver.destroy();
  });

  it('lets the next one be written while the disk takes its time', async () => {
    const commits = [write('one'), write('two'), write('three')];
    await turn();
    assert.equal(held.files.length, 1);
    held.end();
    await turn();
    held.end();
    await Promise.all(commits);
    // The second flush was for two commits.
    assert.equal(held.files.length, 2);
    await driver.destroy();
  });

  it('is refused after a flush has failed, and what was read before goes on', async () => {
    const written = write('lost');
    await turn();
    held.end(new Error('EIO: i/o error, fdatasync'));
    await assert.rejects(written, isUnavailable);
    await assert.rejects(write('more'), isUnavailable);
    const connection = await driver.acquireConnection();
    await assert.rejects(driver.beginTransaction(connection), isUnavailable);
    assert.equal(held.files.length, 1);
    await driver.destroy();
  });
});

describe('a transaction on SQLite', { skip: !engines.includes('sqlite') }, () => {
  it('has its effects at once, and is answered when it is on the disk', async () => {
    const test = await migratedDatabase('sqlite');
    const held = new HeldFlushes();
    const database = openSqlite(test.settings.file, testRules, undefined, held.flush);
    const effects: string[] = [];
    database.announcements.listen('settings', (id) => effects.push(`announced ${id}`));
    const done = database.transaction(async (tx) => {
      tx.afterCommit(() => effects.push('committed'));
      tx.announce('settings', 'a');
      await tx.db.insertInto('settings').values({ name: 'a', value: '' }).execute();
      return 'result';
    });
    const seen = watched(done);
    while (held.files.length === 0) await turn();
    assert.deepEqual([effects, seen.state], [['committed', 'announced a'], 'waits']);
    held.end();
    assert.equal(await done, 'result');
    await database.close();
    await test.close();
  });
});
