import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { lockAll } from './dialect.ts';
import { isLockTimeout } from './failures.ts';
import { asBefore, CommitLanes, GroupCommit } from './group-commit.ts';

for (const engine of engines)
  describe(`group commits on ${engine}`, () => {
    it('are one transaction for all items of one turn, and each caller gets its own result', async () => {
      const { database, close } = await migratedDatabase(engine);
      const batches: number[] = [];
      const group = new GroupCommit(database, async (_tx, items: readonly number[]) => {
        batches.push(items.length);
        return items.map((item) => item * 2);
      });
      assert.deepEqual(await Promise.all([1, 2, 3].map((item) => group.commit(item))), [2, 4, 6]);
      assert.deepEqual(batches, [3]);
      await close();
    });

    it('fail only the owner whose lock is held for too long', {
      skip: engine === 'sqlite' && 'SQLite has one writer, and no locks',
    }, async () => {
      const { database, close } = await migratedDatabase(engine);
      const lanes = new CommitLanes(database, async (tx, names: readonly string[]) => {
        await lockAll(tx, names);
        return names;
      });
      const [held, free] = ['held-x', 'free-x'];
      await database.transaction(async (tx) => {
        await lockAll(tx, [held]);
        const outcomes = await Promise.allSettled([held, held, free].map((name) => lanes.commit(name, name)));
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['rejected', 'rejected', 'fulfilled'],
        );
        assert.ok(outcomes[0]?.status === 'rejected' && isLockTimeout(outcomes[0].reason));
      });
      assert.equal(await lanes.commit(held, held), held);
      await close();
    });

    it('wait for as many items as are expected, and for no more', async () => {
      const { database, close } = await migratedDatabase(engine);
      const batches: number[] = [];
      let expected = 4;
      const group = new GroupCommit(
        database,
        async (_tx, items: readonly number[]) => {
          batches.push(items.length);
          return items;
        },
        // Longer than any test waits.
        { gathering: { expected: () => expected, maxMs: 2 ** 30 } },
      );
      const arriveLater = async (item: number) => {
        for (let turn = 0; turn < item; turn++) await new Promise(setImmediate);
        return group.commit(item);
      };
      assert.deepEqual(await Promise.all([0, 5, 10, 15].map(arriveLater)), [0, 5, 10, 15]);
      expected = 1;
      await group.commit(20);
      assert.deepEqual(batches, [4, 1]);
      await close();
    });

    it('wait for the callers of the previous group to commit again', async () => {
      const { database, close } = await migratedDatabase(engine);
      const batches: number[] = [];
      const group = new GroupCommit(
        database,
        async (_tx, items: readonly number[]) => {
          batches.push(items.length);
          return items;
        },
        { gathering: { ...asBefore, maxMs: 2 ** 30 } },
      );
      await Promise.all([1, 2, 3].map((item) => group.commit(item)));
      const first = group.commit(1);
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      await Promise.all([first, group.commit(2), group.commit(3)]);
      assert.deepEqual(batches, [3, 3]);
      await close();
    });

    it('wait only for a limited time for items that do not come', async () => {
      const { database, close } = await migratedDatabase(engine);
      const group = new GroupCommit(database, async (_tx, items: readonly number[]) => items, {
        gathering: { expected: () => 2, maxMs: 1 },
      });
      assert.equal(await group.commit(1), 1);
      await close();
    });
  });
