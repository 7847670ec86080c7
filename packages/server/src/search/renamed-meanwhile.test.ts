import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { openSearched, type Searched } from '../../test/searched.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { LeasedJob } from '../platform/jobs/queue.ts';
import { lockEvenDeleted } from '../spaces/spaces.ts';
import { cover } from '../spaces/states.ts';
import { beginFill, indexSpacesOf } from './fill.ts';
import { createIndexAccountJob } from './index-many.ts';

describe('a creator who is renamed while spaces come back', { skip: withoutLockWaits }, () => {
  let searched: Searched;
  before(async () => {
    searched = await openSearched('postgres');
    await beginFill(searched.database);
  });
  after(() => searched.close());

  async function creatorOf(count: number): Promise<{ owner: AccountId; ids: SpaceId[] }> {
    const owner = await searched.account(`mira_${count}`);
    const ids: SpaceId[] = [];
    for (let at = 0; at < count; at++) ids.push(await searched.list(owner, { title: 'Moon' }));
    return { owner, ids };
  }
  async function rename(tx: Tx, owner: AccountId): Promise<void> {
    await tx.db.updateTable('creators').set({ name: 'Selene' }).where('id', '=', owner).execute();
    await indexSpacesOf(tx, owner);
  }
  async function namesOf(ids: readonly SpaceId[]): Promise<string[]> {
    const docs = await searched.database.db
      .selectFrom('search_docs')
      .select('names')
      .where('space_id', 'in', ids)
      .execute();
    return docs.map(({ names }) => names);
  }

  it('is found by the new name in all that a job indexes', async () => {
    const { database } = searched;
    const { owner, ids } = await creatorOf(3);
    await database.db.deleteFrom('search_docs').where('space_id', 'in', ids).execute();
    const signal = new AbortController().signal;
    const job = createIndexAccountJob({ database });
    const [indexing] = await database.transaction(async (tx) => {
      await rename(tx, owner);
      const under = job.run({ ref: owner, signal } as unknown as LeasedJob);
      await someoneWaits(database.db);
      // In a list, so that the transaction does not wait for it.
      return [under] as const;
    });
    await indexing;
    assert.deepEqual(
      await namesOf(ids),
      ids.map(() => 'mira 3 selene'),
    );
  });

  it('is found by the new name in a space that is brought online', async () => {
    const { database } = searched;
    const { owner, ids } = await creatorOf(2);
    const [id] = ids;
    assert.ok(id);
    const put = (offline: 0 | 1) => async (tx: Tx) => {
      const space = await lockEvenDeleted(tx, id);
      assert.ok(space);
      await cover(tx, space, { offline });
    };
    await database.transaction(put(1));
    const [renaming] = await database.transaction(async (tx) => {
      await put(0)(tx);
      const under = database.transaction((other) => rename(other, owner));
      await someoneWaits(database.db);
      return [under] as const;
    });
    await renaming;
    assert.deepEqual(
      await namesOf(ids),
      ids.map(() => 'mira 2 selene'),
    );
  });
});
