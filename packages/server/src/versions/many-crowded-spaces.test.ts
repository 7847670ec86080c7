import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines, migratedDatabase, testRules } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { givenId } from '../platform/db/ids.ts';
import { findCrowded } from './retention.queries.ts';
import { sweepVersions } from './retention.ts';

const keep = testRules.config.KEEP_VERSIONS;
/** More than two looks find. */
const spaces = 104;

for (const engine of engines)
  describe(`many spaces with more versions than are kept, on ${engine}`, () => {
    it('are found by an index that has no others', async () => {
      const { database, close } = await migratedDatabase(engine);
      const plans: unknown[] = [];
      await database.transaction(async ({ db }) => {
        if (engine === 'postgres') await withIndexesOnly(db);
        const page = { after: givenId('spc', 'spc_1'), limit: 50 };
        await findCrowded(db.withPlugin(explaining(engine, plans)), keep, page);
      });
      const plan = JSON.stringify(plans);
      await close();
      assert.match(plan, /spaces_of_many_versions/u, plan);
      assert.doesNotMatch(plan, /TEMP B-TREE|Seq Scan|Sort Key/u, plan);
    });

    it('each lose the oldest, a few spaces in each statement', async () => {
      const { database, close } = await migratedDatabase(engine);
      const { db } = database;
      const counting = (last: number) =>
        sql`(with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${sql.lit(last)}) select i from counted)`;
      // Every second one has one version too many.
      await sql`
        insert into spaces (id, slug, hosted, claimed, state, title, space_type, devices, ai_tools, models, page,
          next_version, revision, created_at, updated_at)
        select 'spc_' || i, 'slug-' || i, 1, 1, 'listed', 'One', 'game', '[]', '[]', '[]', '{}',
          ${sql.lit(keep + 2)}, 1, 0, 0
        from ${counting(spaces)} as numbered`.execute(db);
      await sql`
        insert into versions (id, space_id, number, status, stopped, fields, declarations, files, bytes, created_by,
          created_at, links_expire_at, left_behind)
        select 'ver_' || space.i || '_' || version.i, 'spc_' || space.i, version.i, 'live', 0, '{}', '{}', 1, 1, 'usr_1',
          0, 0, 0
        from ${counting(spaces)} as space, ${counting(keep + 1)} as version
        where version.i > 1 or space.i % 2 = 0`.execute(db);
      assert.equal(await sweepVersions({ database, ...testRules }), spaces / 2);
      const left = await db
        .selectFrom('versions')
        .select(({ fn }) => [fn.min('number').as('oldest'), fn.countAll().as('count')])
        .groupBy('space_id')
        .execute();
      await close();
      assert.equal(left.length, spaces);
      assert.ok(left.every(({ oldest, count }) => Number(oldest) === 2 && Number(count) === keep));
    });
  });
