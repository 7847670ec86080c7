import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { emptyDatabase, engines } from '../../../test/database.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { type Database, isUnavailable, openDatabase } from './dialect.ts';
import { migrate } from './migrate.ts';

/** The error of a promise that has to fail, and how long it took. */
async function failureOf(promise: Promise<unknown>): Promise<{ error: unknown; milliseconds: number }> {
  const startedAt = performance.now();
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  return { error, milliseconds: performance.now() - startedAt };
}

describe('a postgres that goes away', { skip: !engines.includes('postgres') }, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  let relay: Relay;
  let here: Database;
  let there: Database;
  before(async () => {
    test = await emptyDatabase('postgres');
    relay = await openRelay(test.settings.url ?? '');
    here = await openDatabase({ ...test.settings, url: relay.url });
    there = await test.open();
    await migrate(there.db);
  });
  after(async () => {
    await here.close();
    await relay.close();
    await test.close();
  });

  it('is unavailable in under two seconds, and works again when it is back', async () => {
    await here.ping();
    await relay.breakOff();
    const works = [() => here.ping(), () => here.transaction(async () => {})];
    for (const work of works) {
      const { error, milliseconds } = await failureOf(work());
      assert.ok(isUnavailable(error), String(error));
      assert.ok(milliseconds < 2_000);
    }
    await relay.resume();
    await here.ping();
  });

  it('that breaks off inside a transaction is unavailable, and nothing of it is kept', async () => {
    const cut = here.transaction(async (tx) => {
      await tx.insertInto('settings').values({ name: 'cut', value: '' }).execute();
      await relay.breakOff();
      await tx.selectFrom('settings').selectAll().execute();
    });
    const { error } = await failureOf(cut);
    assert.ok(isUnavailable(error), String(error));
    await relay.resume();
    await here.ping();
    const kept = await there.db.selectFrom('settings').where('name', '=', 'cut').execute();
    assert.deepEqual(kept, []);
  });

  it('tells what changed meanwhile as a change of anything, and is listened to again', async () => {
    const everything = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    const stop = here.announcements.listen('space', (id) => {
      if (id === '*') everything.resolve();
      if (id === 'moved') moved.resolve();
    });
    await relay.breakOff();
    await there.transaction(async (tx) => there.announcements.announce(tx, 'space', 'missed'));
    await everything.promise;

    const listening = Promise.withResolvers<void>();
    const stopWaiting = here.announcements.listen('board', () => listening.resolve());
    await relay.resume();
    // Once it listens again it says so to everyone, because more may have been missed.
    await listening.promise;
    await there.transaction(async (tx) => there.announcements.announce(tx, 'space', 'moved'));
    await moved.promise;
    stop();
    stopWaiting();
  });
});

describe('a postgres that is not there', { skip: !engines.includes('postgres') }, () => {
  // The runner fails a file that leaves something open.
  it('is unavailable at the start, and is not waited for', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    await postgres.stop();
    const { error, milliseconds } = await failureOf(openDatabase({ url, file: '', maxConnections: 1 }));
    assert.ok(isUnavailable(error), String(error));
    assert.ok(milliseconds < 2_000);
  });

  it('is unavailable when it stops under an open database', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    const database = await openDatabase({ url, file: '', maxConnections: 1 });
    await database.ping();
    await postgres.stop();
    const { error } = await failureOf(database.ping());
    assert.ok(isUnavailable(error), String(error));
    await database.close();
  });
});
