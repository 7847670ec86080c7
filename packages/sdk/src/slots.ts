import { isOddJson } from '@spaceport/contract/odd-json';
import type { Json, Save } from '@spaceport/contract/sdk-protocol';
import { fault } from './faults.ts';
import { wrong } from './given.ts';
import { bytesOf, isBytes, jsonOf } from './json-or-bytes.ts';
import type { Store } from './store.ts';

const mostSlots = 16;
const mostBytes = 256 * 1024;

/** A save as it is stored: bytes as numbers. */
interface Kept extends Omit<Save, 'data'> {
  readonly data?: Json;
  readonly bytes?: number[];
}

/**
 * The save slots of a player in this browser only, with the same versions, limits and conflicts as the
 * service's.
 */
export function createSlots(store: Store, device: string) {
  const all = () => store.get<Record<string, true>>('slots', {});
  const get = (slot: string): Save | null => {
    const kept = store.get<Kept | null>(`slot/${slot}`, null);
    if (!kept) return null;
    const { bytes, data = null, ...save } = kept;
    return { ...save, data: bytes ? Uint8Array.from(bytes) : data };
  };
  return {
    get,
    list: (): Save[] => Object.keys(all()).flatMap((slot) => get(slot) ?? []),
    /** @throws `conflict`, `too_large` and `invalid` */
    set(slot: string, data: Json | Uint8Array, base: number): Save {
      if (!isBytes(data) && isOddJson(jsonOf(data))) throw wrong('data', 'must be valid Unicode without NUL');
      if (bytesOf(data) > mostBytes) throw fault('too_large', 'a save has more than 256 KiB');
      const theirs = get(slot);
      const mine = { slot, data, version: base + 1, at: new Date().toISOString(), device };
      if ((theirs?.version ?? 0) !== base)
        throw fault('conflict', `"${slot}" was written by another page`, { detail: { mine, theirs } });
      const slots = { ...all(), [slot]: true as const };
      if (Object.keys(slots).length > mostSlots) throw fault('too_large', `more than ${mostSlots} slots`);
      const { data: _, ...rest } = mine;
      try {
        store.set(`slot/${slot}`, isBytes(data) ? { ...rest, bytes: [...data] } : mine);
        store.set('slots', slots);
      } catch {
        throw fault('too_large', 'the browser has no room for it');
      }
      return mine;
    },
    delete(slot: string): void {
      const { [slot]: _, ...others } = all();
      store.set('slots', others);
      store.remove(`slot/${slot}`);
    },
  };
}
