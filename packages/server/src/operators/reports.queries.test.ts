import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { findReports } from './reports.queries.ts';

const after = {
  open: { value: 100_000_000_000_007, id: 'rep_0000000000000000' },
  decided: { value: 7, id: 'rep_0000000000000000' },
};

for (const engine of engines)
  describe(`the list of reports, on ${engine}`, () => {
    for (const state of ['open', 'decided'] as const)
      for (const from of [null, after[state]])
        it(`is read in the order of an index: ${state}, from ${from ? 'a cursor' : 'its start'}`, async () => {
          const { database, close } = await migratedDatabase(engine);
          const plan = await database.transaction(async ({ db }) => {
            if (engine === 'postgres') await withIndexesOnly(db);
            const page = { state, after: from, limit: 31 };
            return JSON.stringify(await findReports(db.withPlugin(explaining(engine)), page));
          });
          await close();
          assert.match(plan, /reports_state/u, plan);
          assert.doesNotMatch(plan, /SCAN report|TEMP B-TREE|Seq Scan on reports|Sort Key/u, plan);
        });
  });
