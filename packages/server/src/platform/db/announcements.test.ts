import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase, withoutPostgres } from '../../../test/database.ts';
import type { Database } from './database.ts';

/**
 * The ids that a database announces for a thing, in order. PostgreSQL also tells the node that announced: a
 * repeated id counts once.
 */
class Heard {
  readonly #ids = new Set<string>();
  #next = Promise.withResolvers<void>();
  readonly stop: () => void;

  constructor(database: Database, thing: string) {
    this.stop = database.announcements.listen(thing, (id) => {
      this.#ids.add(id);
      this.#next.resolve();
    });
  }

  get ids(): string[] {
    return [...this.#ids];
  }

  /** Waits until an id was heard. */
  async until(id: string): Promise<void> {
    while (!this.#ids.has(id)) {
      await this.#next.promise;
      this.#next = Promise.withResolvers();
    }
  }
}

for (const engine of engines)
  describe(`announcements on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let database: Database;
    before(async () => {
      test = await migratedDatabase(engine);
      database = test.database;
    });
    after(() => test.close());

    it('are delivered after the commit and not before', async () => {
      const heard = new Heard(database, 'space');
      await database.transaction(async (tx) => {
        tx.announce('space', 'one');
        await sql`select 1`.execute(tx.db);
        assert.deepEqual(heard.ids, []);
      });
      assert.deepEqual(heard.ids, ['one']);
      heard.stop();
    });

    it('are not delivered when the transaction is rolled back', async () => {
      const heard = new Heard(database, 'space');
      const failing = database.transaction(async (tx) => {
        tx.announce('space', 'never');
        throw new Error('no');
      });
      await assert.rejects(failing, /no/u);
      // Anything that the first had sent would have come before this.
      await database.transaction(async (tx) => tx.announce('space', 'after'));
      await heard.until('after');
      assert.ok(!heard.ids.includes('never'));
      heard.stop();
    });

    it('reach the listeners of that kind, and none that stopped listening', async () => {
      const spaces = new Heard(database, 'player');
      const boards = new Heard(database, 'board');
      const stopped = new Heard(database, 'board');
      stopped.stop();
      await database.transaction(async (tx) => tx.announce('board', 'a:b'));
      assert.deepEqual([spaces.ids, boards.ids, stopped.ids], [[], ['a:b'], []]);
      spaces.stop();
      boards.stop();
    });

    it('are delivered once, however often the transaction makes them', async () => {
      const heard = new Heard(database, 'creator');
      await database.transaction(async (tx) => {
        for (const id of ['same', 'same', 'other']) tx.announce('creator', id);
      });
      assert.deepEqual(heard.ids, ['same', 'other']);
      heard.stop();
    });
  });

describe('announcements between postgres nodes', { skip: withoutPostgres }, () => {
  it('are delivered on the other node after the commit, and never after a rollback', async () => {
    const test = await migratedDatabase('postgres');
    const { database: here } = test;
    const there = await test.open();
    const heard = new Heard(there, 'space');
    const failing = here.transaction(async (tx) => {
      tx.announce('space', 'never');
      await sql`select 1 / 0`.execute(tx.db);
    });
    await assert.rejects(failing);
    await here.transaction(async (tx) => tx.announce('space', 'moved'));
    await heard.until('moved');
    assert.deepEqual(heard.ids, ['moved']);
    await test.close();
  });

  it('come only from the attempt that was committed', async () => {
    const test = await migratedDatabase('postgres');
    const { database: here } = test;
    const there = await test.open();
    const near = new Heard(here, 'space');
    const far = new Heard(there, 'space');
    let attempt = 0;
    await here.transaction(async (tx) => {
      attempt++;
      tx.announce('space', `attempt ${attempt}`);
      if (attempt === 1) await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(tx.db);
    });
    await far.until('attempt 2');
    assert.ok(![...near.ids, ...far.ids].includes('attempt 1'));
    await test.close();
  });
});

describe('a commit by another process on the same sqlite file', { skip: !engines.includes('sqlite') }, () => {
  it('is announced as a change of everything', async () => {
    const test = await migratedDatabase('sqlite');
    const spaces = new Heard(test.database, 'space');
    const boards = new Heard(test.database, 'board');
    const admin = execFile(process.execPath, [
      '--input-type=module-typescript',
      '-e',
      `import { openDatabase } from ${JSON.stringify(new URL('database.ts', import.meta.url).href)};
       const database = await openDatabase(${JSON.stringify(test.settings)}, { clock: Date, config: {} });
       await database.transaction((tx) =>
         tx.db.insertInto('settings').values({ name: 'from', value: 'the other' }).execute());
       await database.close();`,
    ]);
    const [exitCode] = await once(admin, 'exit');
    assert.equal(exitCode, 0);
    // Keeps the process alive, which the watch does not do.
    const alive = setInterval(() => {}, 1_000);
    await Promise.all([spaces.until('*'), boards.until('*')]);
    clearInterval(alive);
    const row = await test.database.db.selectFrom('settings').selectAll().executeTakeFirst();
    assert.equal(row?.value, 'the other');
    await test.close();
  });

  it('is not announced for the process’s own commits', async () => {
    const test = await migratedDatabase('sqlite');
    const other = await test.open();
    const own = new Heard(test.database, 'space');
    const others = new Heard(other, 'space');
    await test.database.db.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
    const alive = setInterval(() => {}, 1_000);
    await others.until('*');
    clearInterval(alive);
    assert.deepEqual(own.ids, []);
    await test.close();
  });
});
