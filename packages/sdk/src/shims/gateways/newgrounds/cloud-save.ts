import type { Save } from '../../../types.ts';
import { keptBytes, mostKeptBytes } from '../../kept-bytes.ts';
import type { ShimHost } from '../../shim-host.ts';
import { addressOf } from '../answer-calls.ts';
import type { Component } from './component.ts';
import { Refusal } from './refusal.ts';
import type { Session } from './session.ts';

const slots = [1, 2, 3];
const nameOf = (id: number) => `newgrounds-${id}`;

/** `CloudSave.*`: three slots of the player's saves. */
export function cloudSave({ spaceport }: ShimHost, session: Session): Readonly<Record<string, Component>> {
  function idOf(given: unknown): number {
    session.mustBeUser();
    const id = Number(given);
    if (!slots.includes(id)) throw new Refusal('invalidParameter', 'Slots are 1 to 3.');
    return id;
  }
  const read = async (id: number) => slotOf(id, await spaceport.saves.get(nameOf(id)));
  return {
    'CloudSave.clearSlot': async ({ id: given }) => {
      const id = idOf(given);
      await spaceport.saves.delete(nameOf(id));
      return { slot: slotOf(id, null) };
    },
    'CloudSave.loadSlot': async ({ id }) => ({ slot: await read(idOf(id)) }),
    'CloudSave.loadSlots': async () => {
      session.mustBeUser();
      return { slots: await Promise.all(slots.map(read)) };
    },
    'CloudSave.setData': async ({ id: given, data }) => {
      const id = idOf(given);
      if (typeof data !== 'string') throw new Refusal('missingParameter', 'There is no data.');
      if (keptBytes(data) > mostKeptBytes)
        throw new Refusal('tooMuchMemory', `A slot has ${mostKeptBytes} bytes at most.`);
      return { slot: slotOf(id, await spaceport.saves.set(nameOf(id), data)) };
    },
  };
}

/** Returns a slot with an address, from which games load its content. */
function slotOf(id: number, save: Save | null) {
  const text = typeof save?.data === 'string' ? save.data : null;
  if (!save || text === null) return { id, size: 0, datetime: null, timestamp: null, url: null };
  return {
    id,
    size: new TextEncoder().encode(text).length,
    datetime: save.at,
    timestamp: Math.floor(Date.parse(save.at) / 1_000),
    url: addressOf({ type: 'text/plain', text }),
  };
}
