import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase, withoutPostgres } from '../../../test/database.ts';
import type { Database } from './database.ts';
import type { Db } from './schema.ts';

async function put(db: Db, name: string, value: number | string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value: String(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(value) }))
    .execute();
}

async function storedValue(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Waits until `parties` have arrived: two transactions are certain to overlap. */
function meetingPoint(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    if (++arrived === parties) resolve();
    return promise;
  };
}

/** Writes a row if there are fewer than `limit`. Returns whether it did. */
function takePlace(database: Database, limit: number, at: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.lock('limit');
    const { used } = await tx.db
      .selectFrom('rate_hits')
      .select(({ fn }) => fn.countAll<number>().as('used'))
      .where('bucket', '=', 'limit')
      .executeTakeFirstOrThrow();
    if (used >= limit) return false;
    await tx.db.insertInto('rate_hits').values({ bucket: 'limit', at }).execute();
    return true;
  });
}

for (const engine of engines)
  describe(`transaction on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let database: Database;
    before(async () => {
      test = await migratedDatabase(engine);
      database = test.database;
    });
    after(() => test.close());

    it('returns the result of its work after the commit', async () => {
      const answer = await database.transaction(async (tx) => {
        await put(tx.db, 'committed', 1);
        return 'done';
      });
      assert.equal(answer, 'done');
      assert.equal(await storedValue(database.db, 'committed'), '1');
    });

    it('keeps nothing of work that threw, and throws the same error', async () => {
      const thrown = new Error('changed my mind');
      const failing = database.transaction(async (tx) => {
        await put(tx.db, 'refused', 1);
        throw thrown;
      });
      await assert.rejects(failing, (error) => error === thrown);
      assert.equal(await storedValue(database.db, 'refused'), undefined);
    });

    it('keeps nothing of work whose statement failed, and works again', async () => {
      const failing = database.transaction(async (tx) => {
        await put(tx.db, 'half', 1);
        await sql`select * from nowhere`.execute(tx.db);
      });
      await assert.rejects(failing, /nowhere/u);
      assert.equal(await storedValue(database.db, 'half'), undefined);
      await database.transaction((tx) => put(tx.db, 'again', 1));
      assert.equal(await storedValue(database.db, 'again'), '1');
    });

    it('runs concurrent statements in the order of their calls', async () => {
      const read = await database.transaction(async (tx) => {
        const [, , seen] = await Promise.all([
          put(tx.db, 'order', 1),
          put(tx.db, 'order', 2),
          storedValue(tx.db, 'order'),
          put(tx.db, 'order', 3),
        ]);
        return seen;
      });
      assert.equal(read, '2');
      assert.equal(await storedValue(database.db, 'order'), '3');
    });

    it('writes nothing of concurrent work when one statement fails', async () => {
      const over = Promise.withResolvers<void>();
      let late: Promise<void> | undefined;
      const failing = database.transaction(async (tx) => {
        const goesOn = async () => {
          await put(tx.db, 'beside', 1);
          await over.promise;
          await put(tx.db, 'behind', 1);
        };
        late = goesOn();
        await Promise.all([late, sql`select * from nowhere`.execute(tx.db), put(tx.db, 'beside', 2)]);
      });
      await assert.rejects(failing, /nowhere/u);
      over.resolve();
      await assert.rejects(async () => late);
      assert.equal(await storedValue(database.db, 'beside'), undefined);
      assert.equal(await storedValue(database.db, 'behind'), undefined);
    });

    it('sees its own writes, which nobody else sees before the commit', async () => {
      await database.transaction(async (tx) => {
        await put(tx.db, 'unseen', 1);
        assert.equal(await storedValue(tx.db, 'unseen'), '1');
        assert.equal(await storedValue(database.db, 'unseen'), undefined);
      });
      assert.equal(await storedValue(database.db, 'unseen'), '1');
    });

    it('excludes others with a lock of the same name, so that a limit is never passed', async () => {
      const limit = 3;
      const passed = await Promise.all(Array.from({ length: 9 }, (_, at) => takePlace(database, limit, at)));
      assert.equal(passed.filter(Boolean).length, limit);
    });
  });

describe('transaction on postgres', { skip: withoutPostgres }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  before(async () => {
    test = await migratedDatabase('postgres');
    database = test.database;
  });
  after(() => test.close());

  it('never passes a limit where the default of the database is another level of isolation', async () => {
    const name = sql.id(new URL(test.settings.url ?? '').pathname.slice(1));
    await sql`alter database ${name} set default_transaction_isolation = 'repeatable read'`.execute(
      database.db,
    );
    const strict = await test.open();
    const { rows } = await sql`show default_transaction_isolation`.execute(strict.db);
    assert.deepEqual(rows, [{ default_transaction_isolation: 'repeatable read' }]);
    const limit = 3;
    const passed = await Promise.all(Array.from({ length: 9 }, (_, at) => takePlace(strict, limit, at)));
    assert.equal(passed.filter(Boolean).length, limit);
  });

  it('is rolled back and fails when its announcements cannot be sent', async () => {
    const failing = database.transaction(async (tx) => {
      await put(tx.db, 'untold', 1);
      tx.announce('thing', 'x'.repeat(9_000));
    });
    await assert.rejects(failing, /payload string too long/u);
    assert.equal(await storedValue(database.db, 'untold'), undefined);
    await database.transaction((tx) => put(tx.db, 'told', 1));
    assert.equal(await storedValue(database.db, 'told'), '1');
  });

  it('is retried when another transaction changed what it read', async () => {
    await put(database.db, 'counter', 0);
    const meet = meetingPoint(2);
    let runs = 0;
    const increment = () => {
      let first = true;
      return database.transaction(async (tx) => {
        runs++;
        await sql`set transaction isolation level repeatable read`.execute(tx.db);
        const value = Number(await storedValue(tx.db, 'counter'));
        if (first) await meet();
        first = false;
        await put(tx.db, 'counter', value + 1);
      });
    };
    await Promise.all([increment(), increment()]);
    assert.equal(await storedValue(database.db, 'counter'), '2');
    assert.equal(runs, 3);
  });

  it('is retried after a deadlock', async () => {
    for (const name of ['left', 'right']) await put(database.db, name, 0);
    const meet = meetingPoint(2);
    let runs = 0;
    const inOrder = (names: string[]) => {
      let first = true;
      return database.transaction(async (tx) => {
        runs++;
        for (const [index, name] of names.entries()) {
          if (index === 1 && first) await meet();
          // One statement: it adds to the other transaction's value, however the two alternate.
          await sql`
            update settings set value = cast(cast(value as integer) + 1 as text)
            where name = ${name}`.execute(tx.db);
        }
        first = false;
      });
    };
    // A transaction that failed when both met runs to its end alone the next time.
    await Promise.all([inOrder(['left', 'right']), inOrder(['right', 'left'])]);
    assert.equal(await storedValue(database.db, 'left'), '2');
    assert.equal(await storedValue(database.db, 'right'), '2');
    assert.ok(runs >= 3, String(runs));
  });

  it('gives up after a few attempts, with the error', async () => {
    let runs = 0;
    const hopeless = database.transaction(async (tx) => {
      runs++;
      await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(tx.db);
    });
    await assert.rejects(hopeless, { code: '40001' });
    assert.equal(runs, 8);
  });

  it('is not retried after any other error', async () => {
    let runs = 0;
    const wrong = database.transaction(async (tx) => {
      runs++;
      await sql`select 1 / 0`.execute(tx.db);
    });
    await assert.rejects(wrong, { code: '22012' });
    assert.equal(runs, 1);
  });

  it('keeps a lock across processes until the transaction ends', async () => {
    const other = await test.open();
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const first = database.transaction(async (tx) => {
      await tx.lock('shared');
      isHeld.resolve();
      await held.promise;
      order.push('first');
    });
    await isHeld.promise;
    const second = other.transaction(async (tx) => {
      await tx.lock('shared');
      order.push('second');
    });
    const elsewhere = other.transaction(async (tx) => {
      await tx.lock('another name');
      order.push('elsewhere');
    });
    await elsewhere;
    held.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['elsewhere', 'first', 'second']);
  });
});
