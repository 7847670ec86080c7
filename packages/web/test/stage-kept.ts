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

/** The slot of an account, as the service keeps it. `isAway` makes its calls fail. */
export function account(): KeptSlot & { theirs: Theirs | null; readonly lost: string[]; isAway: boolean } {
  const slot = {
    theirs: null as Theirs | null,
    lost: [] as string[],
    isAway: false,
    async read() {
      if (slot.isAway) throw new Error('away');
      return slot.theirs;
    },
    async put(entries: Theirs['entries'], base: number) {
      if (slot.isAway) throw new Error('away');
      if ((slot.theirs?.version ?? 0) !== base) {
        slot.lost.push(entries.get('best') ?? '');
        throw new OtherKept(slot.theirs);
      }
      slot.theirs = { entries: new Map(entries), at: Date.now(), version: base + 1, device: 'A' };
      return slot.theirs.version;
    },
    putLast() {},
  };
  return slot;
}
