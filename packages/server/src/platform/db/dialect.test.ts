import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { blobsWith, oneOf, rowsOf, skipLocked, unhurried } from './dialect.ts';
import { isUnavailable, isUniqueViolation } from './failures.ts';

/** Names that a wrong escaping of lists would break. */
const awkward = ["o'brien", '"quoted"', 'a,b', '{brace}', 'back\\slash', 'ünïcode 🎮', 'null', ''];

for (const engine of engines)
  describe(`helpers on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let database: Database;
    before(async () => {
      test = await migratedDatabase(engine);
      database = test.database;
    });
    beforeEach(() => database.db.deleteFrom('settings').execute());
    after(() => test.close());

    const namesIn = async (values: readonly string[]) => {
      const rows = await database.db
        .selectFrom('settings')
        .select('name')
        .where('name', 'in', oneOf(database.db, values))
        .execute();
      return rows.map(({ name }) => name).sort();
    };
    const insert = (rows: readonly (readonly string[])[]) =>
      sql`insert into settings (name, value) select c0, c1 from ${rowsOf(database.db, rows, 2)} as r`.execute(
        database.db,
      );

    it('oneOf accepts a list of two thousand, as one parameter', async () => {
      const all = Array.from({ length: 3_000 }, (_, index) => `name-${String(index).padStart(4, '0')}`);
      await insert(all.map((name) => [name, 'x']));
      const wanted = all.filter((_, index) => index % 3 !== 0);
      assert.equal(wanted.length, 2_000);
      assert.deepEqual(await namesIn(wanted), wanted);
      const query = database.db
        .selectFrom('settings')
        .select('name')
        .where('name', 'in', oneOf(database.db, all));
      assert.equal(query.compile().parameters.length, 1);
    });

    it('oneOf and rowsOf keep every character of a value', async () => {
      await insert(awkward.map((name) => [name, name.toUpperCase()]));
      assert.deepEqual(await namesIn(awkward), [...awkward].sort());
      const rows = await database.db.selectFrom('settings').selectAll().execute();
      for (const { name, value } of rows) assert.equal(value, name.toUpperCase());
    });

    it('an unhurried statement works as usual, and later transactions are durable', async () => {
      await insert([['a', 'x']]);
      const change = () =>
        database.db.updateTable('settings').set({ value: 'y' }).where(unhurried(database.db)).execute();
      await change();
      const rows = await database.db.selectFrom('settings').selectAll().execute();
      assert.deepEqual(rows, [{ name: 'a', value: 'y' }]);
      if (engine === 'sqlite') return;
      await database.transaction(async (tx) => {
        const { rows } = await sql`show synchronous_commit`.execute(tx.db);
        assert.deepEqual(rows, [{ synchronous_commit: 'on' }]);
      });
    });

    it('oneOf of an empty list matches nothing', async () => {
      await insert([['a', 'x']]);
      assert.deepEqual(await namesIn([]), []);
    });

    it('blobsWith finds files by whole hashes, with one parameter', async () => {
      const { db } = database;
      // Hashes with the same beginning, as among some hundred thousand files.
      const hashes = ['0', '1', '2'].map((last) => `${'ab'.repeat(31)}0${last}`);
      const blob = {
        size: 1,
        public: 1,
        shared_memory: 0,
        packed: 0,
        created_at: 0,
        marked_at: null,
      } as const;
      await db
        .insertInto('blobs')
        .values(hashes.map((hash) => ({ ...blob, hash, key: `${hash}-key` })))
        .execute();
      const find = (wanted: readonly string[]) => db.selectFrom(blobsWith(db, wanted).as('blob')).selectAll();
      const found = async (wanted: readonly string[]) =>
        (await find(wanted).execute()).map(({ hash }) => hash).sort();
      assert.deepEqual(await found(hashes.slice(1)), hashes.slice(1));
      assert.deepEqual(await found([hashes[0] ?? '', 'c'.repeat(64), ...awkward]), hashes.slice(0, 1));
      assert.deepEqual(await found([]), []);
      assert.equal(find(hashes).compile().parameters.length, 1);
      const [row] = await find(hashes.slice(0, 1)).execute();
      assert.deepEqual(row, { ...blob, hash: hashes[0], key: `${hashes[0]}-key` });
      await db.deleteFrom('blobs').execute();
    });

    it('blobsWith reads the index of beginnings on SQLite, and that of hashes on PostgreSQL', async () => {
      const query = sql`select hash from ${blobsWith(database.db, ['a', 'b'])} as blob`;
      const plan = await database.transaction(async ({ db }) => {
        if (engine === 'sqlite') return sql`explain query plan ${query}`.execute(db);
        // With an empty table PostgreSQL prefers to read all rows.
        for (const way of ['seqscan', 'bitmapscan'])
          await sql`select set_config(${`enable_${way}`}, 'off', true)`.execute(db);
        return sql`explain ${query}`.execute(db);
      });
      const index = engine === 'sqlite' ? 'INDEX blobs_hash_beginning' : 'using blobs_pkey';
      assert.ok(JSON.stringify(plan.rows).includes(index), JSON.stringify(plan.rows));
    });

    it('rowsOf accepts two thousand rows as one parameter, with numbers and nulls', async () => {
      const rows = Array.from({ length: 2_000 }, (_, index) => [`hash-${index}`, index * 2 ** 20, null]);
      const query = sql<{ rows: number; total: number; nulls: number; last: string }>`
        select count(*) as rows, sum(cast(c1 as bigint)) as total, count(*) - count(c2) as nulls, max(c0) as last
        from ${rowsOf(database.db, rows, 3)} as r`;
      assert.equal(query.compile(database.db).parameters.length, 1);
      const answer = (await query.execute(database.db)).rows[0];
      const total = 1_999_000 * 2 ** 20;
      assert.deepEqual({ ...answer }, { rows: 2_000, total, nulls: 2_000, last: 'hash-999' });
    });

    it('instants and sums come back as numbers', async () => {
      const instant = 1_800_000_000_000;
      await database.db.insertInto('rate_hits').values({ bucket: 'b', at: instant }).execute();
      const { at, total } = await database.db
        .selectFrom('rate_hits')
        .select(({ fn }) => ['at', fn.sum<number>('at').as('total')])
        .groupBy('at')
        .executeTakeFirstOrThrow();
      assert.deepEqual([at, total], [instant, instant]);
    });

    it('a duplicate row is distinguished from other errors', async () => {
      await insert([['a', 'x']]);
      const again = await insert([['a', 'x']]).catch((error: unknown) => error);
      assert.equal(isUniqueViolation(again), true);
      assert.equal(isUnavailable(again), false);
      const wrong = await sql`select * from nowhere`.execute(database.db).catch((error: unknown) => error);
      assert.equal(isUniqueViolation(wrong), false);
      assert.equal(isUnavailable(wrong), false);
    });

    it('skipLocked leaves a row to the transaction that locked it first', async () => {
      await insert([
        ['a', 'x'],
        ['b', 'x'],
      ]);
      const take = () =>
        database.transaction(async (tx) => {
          const row = await tx.db
            .selectFrom('settings')
            .select('name')
            .where('value', '=', 'x')
            .orderBy('name')
            .limit(1)
            .modifyEnd(skipLocked(tx.db))
            .executeTakeFirst();
          if (row)
            await tx.db
              .updateTable('settings')
              .set({ value: 'taken' })
              .where('name', '=', row.name)
              .execute();
          return row?.name;
        });
      const taken = await Promise.all([take(), take()]);
      assert.deepEqual(taken.sort(), ['a', 'b']);
    });

    it('ping answers', () => database.ping());
  });
