import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { deleteByPages, deleteInPieces, deleteUnindexed } from './delete-pieces.ts';
import { rowsOf } from './dialect.ts';
import type { Db } from './schema.ts';

const rows = 4_500;

for (const engine of engines) {
  describe(`deleting many rows, on ${engine}`, () => {
    it('deletes those that the condition is true for, in statements of limited size', async () => {
      const test = await migratedDatabase(engine);
      try {
        const { db } = test.database;
        const given = rowsOf(
          db,
          Array.from({ length: rows }, (_, at) => [`bucket ${at % 3}`, String(at)]),
          2,
        );
        await sql`insert into rate_hits (bucket, at) select c0, cast(c1 as bigint) from ${given} as given`.execute(
          db,
        );
        const { noted, deleted } = noteDeleted(db);
        await deleteInPieces(noted, 'rate_hits', sql`at < ${rows - 2} or at > ${rows}`);
        assert.deepEqual(deleted, [...Array.from({ length: 8 }, () => 500n), 498n]);
        const left = await db.selectFrom('rate_hits').select('at').orderBy('at').execute();
        assert.deepEqual(
          left.map(({ at }) => Number(at)),
          [rows - 2, rows - 1],
        );
      } finally {
        await test.close();
      }
    });

    it('reads a table without an index in parts, on SQLite, and deletes a few of them', async () => {
      const test = await migratedDatabase(engine);
      try {
        const { db } = test.database;
        const given = rowsOf(
          db,
          Array.from({ length: rows }, (_, at) => [`bucket ${at % 3}`, String(at)]),
          2,
        );
        await sql`insert into rate_hits (bucket, at) select c0, cast(c1 as bigint) from ${given} as given`.execute(
          db,
        );
        const { noted, deleted, asked } = noteDeleted(db);
        await deleteUnindexed(noted, 'rate_hits', sql`at < 3 or at >= ${rows - 2}`);
        assert.equal(
          deleted.reduce((sum, count) => sum + count, 0n),
          5n,
        );
        const { least, most } = await db
          .selectFrom('rate_hits')
          .select(({ fn }) => [fn.min('at').as('least'), fn.max('at').as('most')])
          .executeTakeFirstOrThrow();
        assert.deepEqual([Number(least), Number(most)], [3, rows - 3]);
        // Nine parts, each read and then emptied, and a look at what follows them.
        assert.equal(asked(), engine === 'sqlite' ? 19 : 1);
      } finally {
        await test.close();
      }
    });

    it('reads the rows by pages if no index finds them, and those that may go only once', async () => {
      const test = await migratedDatabase(engine);
      try {
        const { db } = test.database;
        const given = rowsOf(
          db,
          Array.from({ length: rows }, (_, at) => [`acc_${at}`, String(at % 3)]),
          2,
        );
        await sql`
          insert into creators (id, name, email, operator, banned_at, created_at)
          select c0, '', c0, 0, case when c1 = '2' then null else 1 end, 0 from ${given} as given`.execute(
          db,
        );
        const { noted, deleted, asked } = noteDeleted(db);
        const condition = sql`banned_at is null or id like '%0'`;
        await deleteByPages(noted, 'creators', { among: sql`banned_at is not null`, condition });
        const left = await sql<{ gone: number }>`
          select count(*) as gone from creators where banned_at is not null and id like '%0'`.execute(db);
        assert.equal(Number(left.rows[0]?.gone), 0);
        assert.equal(
          deleted.reduce((sum, count) => sum + count, 0n),
          300n,
        );
        // Six pages of the 3,000 rows that may go, and a look at what follows them.
        assert.equal(asked(), 13);
        const kept = await db.selectFrom('creators').select('id').where('banned_at', 'is', null).execute();
        assert.equal(kept.length, 1_500);
      } finally {
        await test.close();
      }
    });
  });
}

/** Notes how many rows each statement deletes, and how many statements there were. */
function noteDeleted(db: Db) {
  const deleted: bigint[] = [];
  let asked = 0;
  const noted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      asked++;
      if (result.numAffectedRows !== undefined) deleted.push(result.numAffectedRows);
      return result;
    },
  });
  return { noted, deleted, asked: () => asked };
}
