import type { Json, Save } from '@spaceport/contract/sdk-protocol';
import type { Backend } from './backend.ts';
import { isFault } from './faults.ts';
import { copyOf } from './json-or-bytes.ts';
import type { Given, Spaceport } from './types.ts';

type Resolve = (mine: Save, theirs: Save) => Given;

/** Limits the tries of a write while another device keeps writing the same slot. */
const mostTries = 5;

export interface Saves {
  readonly saves: Spaceport['saves'];
  /** Called when the player changes, because another player has other slots. */
  forget(): void;
}

/**
 * Returns the save calls. Each write replaces the version last seen here. If another device was faster, one of
 * the two saves is chosen.
 */
export function createSaves(backend: Backend): Saves {
  const seen = new Map<string, number>();
  /** The last write of each slot, which may be its deletion. */
  const writes = new Map<string, Promise<unknown>>();
  let resolveConflict: Resolve | undefined;

  async function write(slot: string, data: Json | Uint8Array, base: number | undefined): Promise<Save> {
    let from = base ?? seen.get(slot) ?? 0;
    let sent = data;
    for (let tries = 1; ; tries++) {
      try {
        const saved = await backend.call('saves.set', [slot, sent, from]);
        seen.set(slot, saved.version);
        return saved;
      } catch (error) {
        const conflict = isFault(error) && error.code === 'conflict' ? error.detail : undefined;
        if (!conflict || tries === mostTries) throw error;
        const { mine, theirs } = conflict;
        from = theirs?.version ?? 0;
        if (!theirs) continue;
        // A function without a return would end every write of the slot from now on.
        const decided = await resolveConflict?.(mine, theirs);
        const chosen = decided === undefined ? (mine.at < theirs.at ? theirs.data : mine.data) : decided;
        if (chosen !== theirs.data) {
          sent = copyOf(chosen);
          continue;
        }
        seen.set(slot, theirs.version);
        return theirs;
      }
    }
  }

  /** Begins a write when the slot's version after the write before it is known. */
  function inTurn<T>(slot: string, begin: () => Promise<T>): Promise<T> {
    const before = writes.get(slot) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(begin);
    writes.set(slot, writing);
    const done = () => {
      if (writes.get(slot) === writing) writes.delete(slot);
    };
    writing.then(done, done);
    return writing;
  }

  return {
    forget: () => seen.clear(),
    saves: {
      async get(slot) {
        const save = await backend.call('saves.get', [slot]);
        seen.set(slot, save?.version ?? 0);
        return save;
      },
      async set(slot, data, base) {
        // A copy, because the space may change the data while the write waits for its turn.
        const copy = copyOf(data);
        return inTurn(slot, () => write(slot, copy, base));
      },
      list: () => backend.call('saves.list', []),
      delete: (slot) =>
        inTurn(slot, async () => {
          await backend.call('saves.delete', [slot]);
          seen.delete(slot);
        }),
      onConflict(resolve) {
        resolveConflict = resolve;
      },
    },
  };
}
