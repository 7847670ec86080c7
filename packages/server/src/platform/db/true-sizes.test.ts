import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyDatabase, engines } from '../../../test/database.ts';
import { earlySpace, earlyVersion } from '../../../test/early-rows.ts';
import { givenId } from './ids.ts';
import { migrate } from './migrate.ts';

for (const engine of engines)
  describe(`declared sizes, on ${engine}`, () => {
    it('are replaced by those of the stored files, whatever the manifest said', async () => {
      const test = await emptyDatabase(engine);
      const { db } = await test.open();
      await migrate(db, '0008-activity');
      const now = 1_000;
      await db
        .insertInto('spaces')
        .values(earlySpace('spc_1', now) as never)
        .execute();
      const blob = (hash: string, size: number) => ({
        hash,
        key: `${hash}-1`,
        size,
        public: 1,
        shared_memory: 0,
        packed: 0,
        marked_at: null,
        created_at: now,
      });
      await db
        .insertInto('blobs')
        .values([blob('aa', 149), blob('bb', 7)] as never)
        .execute();
      // More manifests than are read at once. The last one has a wrong size.
      const truthful = JSON.stringify([['a.js', 'aa', 149]]);
      const lying = JSON.stringify([
        ['a.js', 'aa', 5],
        ['b.js', 'bb', 100_000],
        ['c.js', 'cc', 3],
      ]);
      const versions = Array.from({ length: 120 }, (_, index) => `ver_${String(index).padStart(4, '0')}`);
      for (const [index, id] of versions.entries()) {
        await db
          .insertInto('versions')
          .values({ ...earlyVersion(id, now), space_id: 'spc_1', number: index + 1, bytes: index } as never)
          .execute();
        const files = id === 'ver_0119' ? lying : truthful;
        await db
          .insertInto('manifests')
          .values({ version_id: givenId('ver', id), files: files as never })
          .execute();
      }

      await migrate(db);
      const manifests = await db.selectFrom('manifests').selectAll().orderBy('version_id').execute();
      assert.ok(manifests.slice(0, -1).every(({ files }) => files === truthful));
      assert.deepEqual(JSON.parse(manifests.at(-1)?.files ?? ''), [
        ['a.js', 'aa', 149],
        ['b.js', 'bb', 7],
        ['c.js', 'cc', 3],
      ]);
      const bytes = await db.selectFrom('versions').select('bytes').orderBy('id').execute();
      assert.deepEqual([bytes[118]?.bytes, bytes[119]?.bytes], [118, 159]);
      await test.close();
    });
  });
