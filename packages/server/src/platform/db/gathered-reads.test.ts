import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gathered } from './gathered-reads.ts';
import type { Db } from './schema.ts';

// A placeholder: the reads under test do not use it.
const databaseOf = () => ({}) as Db;

describe('gathered reads', () => {
  it('are one query for all keys of one turn, and each caller gets its own result', async () => {
    const batches: string[][] = [];
    const find = gathered(async (_db, keys: readonly string[]) => {
      batches.push([...keys]);
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
    });
    const db = databaseOf();
    const found = await Promise.all(['a', 'b', 'none', 'a'].map((key) => find(db, key)));
    assert.deepEqual(found, ['A', 'B', undefined, 'A']);
    assert.deepEqual(batches, [['a', 'b', 'none']]);
  });

  it('are further queries for the keys after the first `most`', async () => {
    const batches: string[][] = [];
    const find = gathered(async (_db, keys: readonly string[]) => {
      batches.push([...keys]);
      return new Map(keys.map((key) => [key, key]));
    }, 2);
    const db = databaseOf();
    const asked = ['a', 'b', 'b', 'c', 'd', 'e'];
    assert.deepEqual(await Promise.all(asked.map((key) => find(db, key))), asked);
    assert.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e']]);
    assert.equal(await find(db, 'a'), 'a');
    assert.deepEqual(batches[3], ['a']);
  });

  it('query again for a later caller while the first query is running', async () => {
    const slow = Promise.withResolvers<void>();
    let reads = 0;
    const find = gathered(async (_db, keys: readonly string[]) => {
      reads += 1;
      const read = reads;
      if (read === 1) await slow.promise;
      return new Map(keys.map((key) => [key, read]));
    });
    const db = databaseOf();
    const first = find(db, 'a');
    await new Promise(setImmediate);
    assert.equal(await find(db, 'a'), 2, 'what it was before is not told');
    slow.resolve();
    assert.equal(await first, 1);
  });

  it('are separate for each database, and an error reaches only the callers of that query', async () => {
    const broken = databaseOf();
    const find = gathered(async (db: Db, keys: readonly string[]) => {
      if (db === broken) throw new Error('out of reach');
      return new Map(keys.map((key) => [key, key]));
    });
    const asked = await Promise.allSettled([find(broken, 'a'), find(databaseOf(), 'a'), find(broken, 'b')]);
    assert.deepEqual(
      asked.map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected'],
    );
  });
});
