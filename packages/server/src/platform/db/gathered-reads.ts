import type { Db } from './schema.ts';

/**
 * Combines many reads into one: all keys that are asked for in one turn of the event loop are read by one
 * statement, which begins after the last of them was asked for. `read` gets each key once, and leaves out
 * keys that it does not find.
 */
export function gathered<Key extends string, Found>(
  read: (db: Db, keys: readonly Key[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Db, key: Key) => Promise<Found | undefined> {
  // Holds only the batches of this turn: a batch is removed before its statement begins.
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
