import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { explaining, withIndexesOnly } from '../../../test/explaining.ts';
import type { Db } from '../db/schema.ts';
import { findDueKinds, isOneDue } from './due-jobs.queries.ts';

const looks: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the kinds of which one is due': (db) => findDueKinds(db, [{ kind: 'one' }, { kind: 'other' }], 1),
  'the job of a kind that is leased next': (db) => isOneDue(db, { kind: 'one', now: 1, runAt: 1 }),
};

for (const engine of engines)
  describe(`a look for due jobs, on ${engine}`, () => {
    for (const [name, look] of Object.entries(looks))
      it(`reads none of other kinds, for ${name}`, async () => {
        const { database, close } = await migratedDatabase(engine);
        const plans: unknown[] = [];
        await database.transaction(async ({ db }) => {
          if (engine === 'postgres') await withIndexesOnly(db);
          await look(db.withPlugin(explaining(engine, plans)));
        });
        await close();
        const plan = JSON.stringify(plans);
        assert.match(plan, /jobs_due_of_kind/u, plan);
        assert.doesNotMatch(plan, /jobs_due[^_]|SCAN jobs|Seq Scan on jobs|TEMP B-TREE|Sort Key/u, plan);
      });
  });
