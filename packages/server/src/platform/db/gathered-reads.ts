import type { Db } from './schema.ts';

/**
 * Combines many reads into one: all keys that are asked for in one turn of the event loop are read by one
 * statement, which begins after the last of them was asked for. `read` gets each key once, and leaves out
 * keys that it does not find. Further statements take the keys after the first `most`.
 */
export function gathered<Key extends string, Found>(
  read: (db: Db, keys: readonly Key[]) => Promise<ReadonlyMap<string, Found>>,
  most = Number.POSITIVE_INFINITY,
): (db: Db, key: Key) => Promise<Found | undefined> {
  // Holds only the last batches of this turn: a batch is removed before its statement begins.
  const batches = new Map<Db, Batch<Key, Found>>();
  const begin = (db: Db) => {
    const keys = new Set<Key>();
    const found = new Promise<ReadonlyMap<string, Found>>((resolve) => {
      setImmediate(() => {
        if (batches.get(db)?.keys === keys) batches.delete(db);
        resolve(read(db, [...keys]));
      });
    });
    const batch = { keys, found };
    batches.set(db, batch);
    return batch;
  };
  return async (db, key) => {
    const last = batches.get(db);
    const isFull = last && last.keys.size >= most && !last.keys.has(key);
    const { keys, found } = !last || isFull ? begin(db) : last;
    keys.add(key);
    return (await found).get(key);
  };
}

interface Batch<Key, Found> {
  readonly keys: Set<Key>;
  readonly found: Promise<ReadonlyMap<string, Found>>;
}
