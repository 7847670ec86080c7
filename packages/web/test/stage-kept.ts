import assert from 'node:assert/strict';
import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { isSame } from '@spaceport/contract/storage-mirror';
import { createFrameStorage, type FrameStorage, type OtherFound } from '../src/stage/frame-storage.ts';
import type { Kept, Theirs } from '../src/stage/kept-rules.ts';
import { type KeptSlot, OtherKept } from '../src/stage/kept-slot.ts';
import type { KeptStore } from '../src/stage/kept-store.ts';

/** A store like that of a browser, which all of its tabs share. */
export function browser(): KeptStore & { readonly all: Map<string, Kept> } {
  const all = new Map<string, Kept>();
  return {
    all,
    read: async (key) => all.get(key) ?? null,
    async change(key, change) {
      const after = change(all.get(key) ?? null);
      if (after) all.set(key, after);
      else all.delete(key);
      return after;
    },
  };
}

const noAnswer = () => new ConnectionError('the service', new Error('away'));
const tooMany = () => new ApiError({ status: 429, code: 'rate_limited', message: 'Too many.' });

/** The slot of an account, as the service keeps it. */
interface Account extends KeptSlot {
  theirs: Theirs | null;
  readonly lost: string[];
  /** Makes calls fail. */
  isAway: boolean;
  /** Loses the answer to the next write. */
  isUnheard: boolean;
  /** Refuses the next write, because there were too many. */
  isBusy: boolean;
}

export function account(): Account {
  const slot: Account = {
    theirs: null,
    lost: [],
    isAway: false,
    isUnheard: false,
    isBusy: false,
    async read() {
      if (slot.isAway) throw noAnswer();
      return slot.theirs;
    },
    async put(entries: Theirs['entries'], base: number) {
      if (slot.isAway) throw noAnswer();
      if (slot.isBusy) {
        slot.isBusy = false;
        throw tooMany();
      }
      if (slot.theirs && isSame(slot.theirs.entries, entries)) return slot.theirs.version;
      if ((slot.theirs?.version ?? 0) !== base) {
        slot.lost.push(entries.get('best') ?? '');
        throw new OtherKept(slot.theirs);
      }
      slot.theirs = { entries: new Map(entries), at: Date.now(), version: base + 1, device: 'A' };
      if (!slot.isUnheard) return slot.theirs.version;
      slot.isUnheard = false;
      throw noAnswer();
    },
    putLast() {},
  };
  return slot;
}

// A page has a `localStorage`; Node has none.
const items = new Map<string, string>();
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  },
});

const opened: FrameStorage[] = [];

/** Opens a space in a tab of a browser. */
export function tab(store: KeptStore, slot: KeptSlot, who: string | null, mayRun = false) {
  const heard: StorageChange[] = [];
  const others: OtherFound[] = [];
  const counts = { reloads: 0 };
  const storage = createFrameStorage({
    id: 'spc_1 live',
    who,
    store,
    slot,
    send: (changes) => void heard.push(...changes),
    onOther: (other) => void others.push(other),
    mayRun: () => mayRun,
    reload: () => void counts.reloads++,
  });
  opened.push(storage);
  const become = (player: string | null) => storage.become(player, slot);
  return { ...storage, become, heard, others, counts };
}

export function stopTabs(): void {
  for (const storage of opened.splice(0)) storage.stop();
}

export const best = (entries: ReadonlyMap<string, string> | null) => entries?.get('best');

/** Returns the storage that a tab has offered. */
export function offerTo({ others }: { others: readonly OtherFound[] }): OtherFound {
  const [other] = others;
  assert.ok(other);
  return other;
}
