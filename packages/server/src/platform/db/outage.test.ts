import assert from 'node:assert/strict';
import dns from 'node:dns';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { emptyDatabase, testRules, withoutPostgres } from '../../../test/database.ts';
import { someoneWaits } from '../../../test/lock-waits.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';
import { openLine } from './postgres-pool.ts';
import { defaultTiming } from './postgres-timing.ts';

/**
 * Two seconds, and some time for a busy machine. By the time limits of statements alone it would be 15 to 17 seconds.
 */
const noticedWithinMs = 10_000;

/** Returns the error of a promise that must fail, and how long it took. */
async function failureOf(promise: Promise<unknown>): Promise<{ error: unknown; milliseconds: number }> {
  const startedAt = performance.now();
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  return { error, milliseconds: performance.now() - startedAt };
}

describe('a postgres server that fails', { skip: withoutPostgres }, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  let relay: Relay;
  let here: Database;
  let there: Database;
  before(async () => {
    test = await emptyDatabase('postgres');
    relay = await openRelay(test.settings.url ?? '');
    here = await openDatabase({ ...test.settings, url: relay.url }, testRules);
    there = await test.open();
    await migrate(there.db);
  });
  after(async () => {
    await here.close();
    await relay.close();
    await test.close();
  });

  it('is soon unavailable, and works again when it is back', async () => {
    await here.ping();
    await relay.breakOff();
    const works = [() => here.ping(), () => here.transaction(async () => {})];
    for (const work of works) {
      const { error, milliseconds } = await failureOf(work());
      assert.ok(isUnavailable(error), String(error));
      assert.ok(milliseconds < noticedWithinMs, `${milliseconds} ms`);
    }
    await relay.resume();
    await here.ping();
  });

  it('that accepts a connection and never answers is unavailable', async () => {
    relay.freeze();
    const line = openLine(relay.url, defaultTiming);
    const { error } = await failureOf(line.connect());
    assert.ok(isUnavailable(error), String(error));
    relay.thaw();
    await line.end();
    await here.ping();
  });

  it('that disconnects inside a transaction is unavailable, and nothing of the transaction is kept', async () => {
    const cut = here.transaction(async (tx) => {
      await tx.db.insertInto('settings').values({ name: 'cut', value: '' }).execute();
      await relay.breakOff();
      await tx.db.selectFrom('settings').selectAll().execute();
    });
    const { error } = await failureOf(cut);
    assert.ok(isUnavailable(error), String(error));
    await relay.resume();
    await here.ping();
    const kept = await there.db.selectFrom('settings').where('name', '=', 'cut').execute();
    assert.deepEqual(kept, []);
  });

  it('announces a change of everything when it is back, and is listened to again', async () => {
    const everything = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    const stop = here.announcements.listen('space', (id) => {
      if (id === '*') everything.resolve();
      if (id === 'moved') moved.resolve();
    });
    await relay.breakOff();
    await there.transaction(async (tx) => tx.announce('space', 'missed'));
    await everything.promise;

    const listening = Promise.withResolvers<void>();
    const stopWaiting = here.announcements.listen('board', () => listening.resolve());
    await relay.resume();
    // Once it listens again it delivers everything, because announcements may have been missed.
    await listening.promise;
    await there.transaction(async (tx) => tx.announce('space', 'moved'));
    await moved.promise;
    stop();
    stopWaiting();
  });
});

describe('a postgres behind a network that freezes', { skip: withoutPostgres }, () => {
  /** Within this time a busy machine answers what the tests ask while the network is well. */
  const timing = { statementMs: 1_000, silenceMs: 1_500, beatMs: 200 };

  async function withFrozen(
    work: (relay: Relay, database: Database, other: Database) => Promise<void>,
  ): Promise<void> {
    const test = await emptyDatabase('postgres');
    const relay = await openRelay(test.settings.url ?? '');
    const other = await test.open();
    await migrate(other.db);
    const database = await openDatabase(
      { ...test.settings, url: relay.url, maxConnections: 2, timing },
      testRules,
    );
    try {
      await work(relay, database, other);
    } finally {
      relay.thaw();
      await database.close();
      await relay.close();
      await test.close();
    }
  }

  it('is unavailable, also inside a transaction, and gets new connections when it is back', async () => {
    await withFrozen(async (relay, database) => {
      await Promise.all([database.ping(), database.ping()]);
      relay.freeze();
      const asked = await failureOf(database.ping());
      assert.ok(isUnavailable(asked.error), String(asked.error));
      assert.ok(asked.milliseconds < noticedWithinMs, `${asked.milliseconds} ms`);
      relay.thaw();
      await database.ping();
      const cut = await failureOf(
        database.transaction(async (tx) => {
          await tx.db.insertInto('settings').values({ name: 'frozen', value: '' }).execute();
          relay.freeze();
          const read = () => tx.db.selectFrom('settings').selectAll().execute();
          await Promise.all([read(), read()]);
        }),
      );
      assert.ok(isUnavailable(cut.error), String(cut.error));
      assert.ok(cut.milliseconds < noticedWithinMs, `${cut.milliseconds} ms`);
      relay.thaw();
      const kept = await database.db.selectFrom('settings').where('name', '=', 'frozen').execute();
      assert.deepEqual(kept, []);
    });
  });

  it('is unavailable long before the timeout of a slow statement, which is waited for', async () => {
    const test = await emptyDatabase('postgres');
    const relay = await openRelay(test.settings.url ?? '');
    const timing = { patienceMs: 100, pulseMs: 1_000 };
    const database = await openDatabase(
      { ...test.settings, url: relay.url, maxConnections: 2, timing },
      testRules,
    );
    try {
      // Meanwhile the pulse is checked several times.
      await sql`select pg_sleep(1)`.execute(database.db);
      await database.ping();
      relay.freeze();
      const asked = await failureOf(sql`select 1`.execute(database.db));
      assert.ok(isUnavailable(asked.error), String(asked.error));
      // The listener's regular check would come after ten seconds.
      assert.ok(database.announcements.isDeaf, 'what others announce may be lost');
      const cut = await failureOf(database.transaction((tx) => sql`select 1`.execute(tx.db)));
      assert.ok(isUnavailable(cut.error), String(cut.error));
      for (const { milliseconds } of [asked, cut])
        assert.ok(milliseconds < noticedWithinMs, `${milliseconds} ms`);
      const heard = Promise.withResolvers<void>();
      const stop = database.announcements.listen('space', () => {
        if (!database.announcements.isDeaf) heard.resolve();
      });
      relay.thaw();
      await database.ping();
      await heard.promise;
      stop();
    } finally {
      relay.thaw();
      await database.close();
      await relay.close();
      await test.close();
    }
  });

  it('does not hold up the end', async () => {
    const test = await emptyDatabase('postgres');
    const relay = await openRelay(test.settings.url ?? '');
    const database = await openDatabase({ ...test.settings, url: relay.url, maxConnections: 2 }, testRules);
    await database.ping();
    relay.freeze();
    await database.close();
    await relay.close();
    await test.close();
  });

  it('is noticed on the connection for announcements, which is opened again', async () => {
    await withFrozen(async (relay, database, other) => {
      const missed = Promise.withResolvers<void>();
      const stop = database.announcements.listen('space', (id) => {
        if (id === '*') missed.resolve();
      });
      relay.freeze();
      await missed.promise;
      stop();
      const again = Promise.withResolvers<void>();
      const heard = Promise.withResolvers<void>();
      const stopHearing = database.announcements.listen('space', (id) => {
        if (id === '*' && !database.announcements.isDeaf) again.resolve();
        if (id === 'moved') heard.resolve();
      });
      relay.thaw();
      await again.promise;
      await other.transaction(async (tx) => tx.announce('space', 'moved'));
      await heard.promise;
      stopHearing();
    });
  });
});

describe('a postgres host without a name or a route', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL'])
    it(`is unavailable (${code})`, async (context) => {
      context.mock.method(dns, 'lookup', (_name: string, _options: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error(code), { code })),
      );
      const url = 'postgres://db.example/spaceport';
      const { error } = await failureOf(openDatabase({ url, file: '', maxConnections: 1 }, testRules));
      assert.ok(isUnavailable(error), String(error));
    });
});

describe('a migration that waits for another process', { skip: withoutPostgres }, () => {
  /** The lock that Kysely's migrator takes. */
  const migratorLock = sql.lit('3853314791062309107');

  it('waits for longer than the statement timeout', async () => {
    const test = await emptyDatabase('postgres');
    const other = await test.open();
    const timing = { statementMs: 500, silenceMs: 1_000 };
    const database = await openDatabase({ ...test.settings, maxConnections: 2, timing }, testRules);
    try {
      await assert.rejects(sql`select pg_sleep(5)`.execute(database.db));
      await other.db.connection().execute(async (holder) => {
        await sql`select pg_advisory_lock(${migratorLock}::bigint)`.execute(holder);
        const migrated = database.patiently((db) => migrate(db));
        await someoneWaits(other.db);
        await sleep(timing.silenceMs);
        // It still waits.
        await someoneWaits(other.db);
        await sql`select pg_advisory_unlock(${migratorLock}::bigint)`.execute(holder);
        await migrated;
      });
      await database.db.selectFrom('settings').selectAll().execute();
    } finally {
      await database.close();
      await test.close();
    }
  });
});

describe('a postgres server that is not running', { skip: withoutPostgres }, () => {
  // The runner fails a file that leaves something open.
  it('is unavailable at the start, without waiting', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    await postgres.stop();
    const { error, milliseconds } = await failureOf(
      openDatabase({ url, file: '', maxConnections: 1 }, testRules),
    );
    assert.ok(isUnavailable(error), String(error));
    assert.ok(milliseconds < noticedWithinMs, `${milliseconds} ms`);
  });

  it('is unavailable when it stops while the database is open', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    const database = await openDatabase({ url, file: '', maxConnections: 1 }, testRules);
    await database.ping();
    await postgres.stop();
    const { error } = await failureOf(database.ping());
    assert.ok(isUnavailable(error), String(error));
    await database.close();
  });
});
