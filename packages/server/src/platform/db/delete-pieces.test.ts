import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { deleteInPieces } from './delete-pieces.ts';
import { rowsOf } from './dialect.ts';

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
        const deleted: bigint[] = [];
        const noted = db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            deleted.push(result.numAffectedRows ?? 0n);
            return result;
          },
        });
        await deleteInPieces(noted, 'rate_hits', sql`at < ${rows - 2} or at > ${rows}`);
        assert.deepEqual(deleted, [2_000n, 2_000n, 498n]);
        const left = await db.selectFrom('rate_hits').select('at').orderBy('at').execute();
        assert.deepEqual(
          left.map(({ at }) => Number(at)),
          [rows - 2, rows - 1],
        );
      } finally {
        await test.close();
      }
    });
  });
}
