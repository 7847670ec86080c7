/** Returns the result of an IndexedDB request as a promise. */
export function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when the browser has kept all of a transaction; rejects if it kept nothing of it. */
export function committed(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The browser kept nothing.'));
  });
  // If a request of it fails, the caller gets that error, and does not come to wait for this one.
  done.catch(() => {});
  return done;
}

/**
 * Returns a function that opens a database: at its first call, and again after it has failed, or after the
 * browser has closed the database. Phones do that to pages in the background, and every browser when a site's
 * data is deleted.
 * @param factory may throw: with all storage blocked, some browsers refuse even the name `indexedDB`
 * @param make makes the stores of a new database
 */
export function databaseOf(
  factory: () => IDBFactory,
  name: string,
  make: (database: IDBDatabase) => void,
): () => Promise<IDBDatabase> {
  let opening: Promise<IDBDatabase> | null = null;
  const open = async () => {
    const asked = factory().open(name, 1);
    asked.onupgradeneeded = () => make(asked.result);
    const database = await answer(asked);
    database.onclose = () => {
      opening = null;
    };
    return database;
  };
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
}
