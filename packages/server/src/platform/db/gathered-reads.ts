import type { Db } from './schema.ts';

/**
 * Makes one read of many: what is asked for in one turn of the event loop is found by one statement, which begins after the
 * last of them asked. `read` gets each key once, and leaves out what is not there.
 */
export function gathered<Key extends string, Found>(
  read: (db: Db, keys: readonly Key[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Db, key: Key) => Promise<Found | undefined> {
  // Only of this turn: a batch is gone before its statement begins.
  const batches = new Map<
    Db,
    { readonly keys: Set<Key>; readonly found: Promise<ReadonlyMap<string, Found>> }
  >();
  const begin = (db: Db) => {
    const keys = new Set<Key>();
    const found = new Promise<ReadonlyMap<string, Found>>((resolve) => {
      setImmediate(() => {
        batches.delete(db);
        resolve(read(db, [...keys]));
      });
    });
    const batch = { keys, found };
    batches.set(db, batch);
    return batch;
  };
  return async (db, key) => {
    const { keys, found } = batches.get(db) ?? begin(db);
    keys.add(key);
    return (await found).get(key);
  };
}
