import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyDatabase, engines } from '../../../test/database.ts';
import { earlySpace, earlyVersion } from '../../../test/early-rows.ts';
import { migrate } from './migrate.ts';

for (const engine of engines)
  describe(`previews from before previews were checked, on ${engine}`, () => {
    it('are queued for their check, oldest first', async () => {
      const test = await emptyDatabase(engine);
      const { db } = await test.open();
      await migrate(db, '0020-played-scores');
      await db
        .insertInto('spaces')
        .values(earlySpace('spc_1', 1) as never)
        .execute();
      const statuses = ['preview', 'live', 'preview', 'refused'];
      for (const [index, status] of statuses.entries()) {
        const of = { space_id: 'spc_1', number: index + 1, bytes: 1, status };
        await db
          .insertInto('versions')
          .values({ ...earlyVersion(`ver_${index}`, 100 - index), ...of } as never)
          .execute();
      }
      await migrate(db);
      const jobs = await db.selectFrom('jobs').select(['kind', 'ref', 'run_at']).orderBy('run_at').execute();
      assert.deepEqual(
        jobs.map(({ kind, ref, run_at }) => [kind, ref, run_at]),
        [
          ['check-preview', 'ver_2', 98],
          ['check-preview', 'ver_0', 100],
        ],
      );
      await test.close();
    });
  });
