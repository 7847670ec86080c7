import type { StorageEntries } from '@spaceport/contract/sdk-protocol';
import { readEntries } from '@spaceport/contract/storage-mirror';
import { answer, committed, databaseOf } from './database.ts';
import type { Kept, Sending } from './kept-rules.ts';

/** The kept storages in this browser, by space and player. Tabs share it. */
export interface KeptStore {
  read(key: string): Promise<Kept | null>;
  /** Changes an entry atomically, also against other tabs. Null deletes it. Returns the new entry. */
  change(key: string, change: (before: Kept | null) => Kept | null): Promise<Kept | null>;
}

const store = 'kept';

/** Opens the database at the first use. If the browser stores nothing, entries last as long as the page. */
export function createKeptStore(factory: () => IDBFactory = () => indexedDB): KeptStore {
  const unkept = new Map<string, Kept>();
  const openDatabase = databaseOf(factory, 'spaceport-kept', (database) => {
    database.createObjectStore(store);
  });
  let hasDatabases: Promise<boolean> | undefined;
  /** Returns null if the browser did not open it the first time. Else a failure must not look like no entries. */
  const open = async () => {
    hasDatabases ??= openDatabase().then(
      () => true,
      () => false,
    );
    return (await hasDatabases) ? openDatabase() : null;
  };

  return {
    async read(key) {
      const database = await open();
      if (!database) return unkept.get(key) ?? null;
      return asKept(await answer(database.transaction(store).objectStore(store).get(key)));
    },
    async change(key, change) {
      const database = await open();
      if (!database) {
        const after = change(unkept.get(key) ?? null);
        if (after) unkept.set(key, after);
        else unkept.delete(key);
        return after;
      }
      const transaction = database.transaction(store, 'readwrite');
      const written = committed(transaction);
      const objects = transaction.objectStore(store);
      const before = asKept(await answer(objects.get(key)));
      const after = change(before);
      if (after === null) objects.delete(key);
      else if (after !== before) objects.put(asStored(after), key);
      await written;
      return after;
    },
  };
}

/** A value with its entries as the database stores them. */
type Stored<Value> = Omit<Value, 'entries' | 'sending'> & { readonly entries: StorageEntries };

interface StoredKept extends Stored<Kept> {
  /** Missing in what an older script of the page has stored. */
  readonly sending?: Stored<Sending> | null;
}

function asStored({ entries, sending, ...rest }: Kept): StoredKept {
  return {
    ...rest,
    entries: [...entries],
    sending: sending && { ...sending, entries: [...sending.entries] },
  };
}

function asKept(stored: StoredKept | undefined): Kept | null {
  const entries = readEntries(stored?.entries);
  return stored && entries ? { ...stored, entries, sending: sendingOf(stored) } : null;
}

function sendingOf({ base, sending }: StoredKept): Sending | null {
  const entries = readEntries(sending?.entries);
  // An older script in another tab takes no note of the write. After one of its own the base is another.
  return sending && entries && sending.base === base ? { ...sending, entries } : null;
}

/** The list of kept storages, which `early.ts` reads in the head of a document, before the frame begins. */
const listKey = 'spaceport-kept';
const mostListed = 500;

/** Adds a space to the list: from now on its frame waits for the kept storage. */
export function noteKept(id: string): void {
  try {
    const listed: unknown = JSON.parse(localStorage.getItem(listKey) ?? '[]');
    const ids = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
    if (ids.includes(id)) return;
    localStorage.setItem(listKey, JSON.stringify([...ids, id].slice(-mostListed)));
  } catch {
    // Storage is switched off, or has other content.
  }
}
