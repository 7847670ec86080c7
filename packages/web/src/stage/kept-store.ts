import type { StorageEntries } from '@spaceport/contract/sdk-protocol';
import { readEntries } from '@spaceport/contract/storage-mirror';
import type { Kept } from './kept-rules.ts';
import { answer } from './request.ts';

/** What this browser keeps of the storages of spaces, by space and player; tabs share it. */
export interface KeptStore {
  read(key: string): Promise<Kept | null>;
  /** In one step, whatever other tabs do; null takes it away. Returns what is kept then. */
  change(key: string, change: (before: Kept | null) => Kept | null): Promise<Kept | null>;
}

const store = 'kept';

/** Opened at the first use. Where the browser keeps nothing it is kept as long as the page. */
export function createKeptStore(factory: () => IDBFactory = () => indexedDB): KeptStore {
  const unkept = new Map<string, Kept>();
  let opening: Promise<IDBDatabase | null> | undefined;
  const open = () => (opening ??= openKept(factory).catch(() => null));

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
      const written = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error('The browser kept nothing.'));
      });
      const objects = transaction.objectStore(store);
      const before = asKept(await answer(objects.get(key)));
      const after = change(before);
      if (after === null) objects.delete(key);
      else if (after !== before) objects.put({ ...after, entries: [...after.entries] }, key);
      await written;
      return after;
    },
  };
}

async function openKept(factory: () => IDBFactory): Promise<IDBDatabase> {
  const opening = factory().open('spaceport-kept', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  return answer(opening);
}

interface Stored extends Omit<Kept, 'entries'> {
  readonly entries: StorageEntries;
}

function asKept(stored: Stored | undefined): Kept | null {
  const entries = readEntries(stored?.entries);
  return stored && entries ? { ...stored, entries } : null;
}

/** Of what something is kept: read in the head of a document (`early.ts`), before its frame begins. */
const listKey = 'spaceport-kept';
const mostListed = 500;

/** From now on the frame of this space waits for what is kept. */
export function noteKept(id: string): void {
  try {
    const listed: unknown = JSON.parse(localStorage.getItem(listKey) ?? '[]');
    const ids = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
    if (ids.includes(id)) return;
    localStorage.setItem(listKey, JSON.stringify([...ids, id].slice(-mostListed)));
  } catch {
    // Storage is switched off, or somebody else wrote there.
  }
}
