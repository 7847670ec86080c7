import { type RoomMember, roomLimits, type Told } from '@spaceport/contract/room-protocol';

/** A member as a room knows it. */
export interface SeatedMember extends RoomMember {
  /** Counts up: a member who came earlier has a lower number. */
  readonly order: number;
}

/** The state of a room without its sockets. Only the rules below change it. */
export interface RoomState {
  readonly members: Map<string, SeatedMember>;
  /** The member that receives messages to the host; null in an empty room. */
  host: string | null;
  isLocked: boolean;
  readonly max: number;
  /** Players who were kicked, by their ids in this space. */
  readonly barred: Set<string>;
  nextOrder: number;
  /** Values are JSON text. */
  readonly values: Map<string, string>;
  /** The size of all keys and values in bytes. */
  valuesBytes: number;
  /** Grows with each change of the values. */
  version: number;
  /** The version of the state that was restored from an earlier process; 0 before. */
  restored: number;
  /**
   * Keys that were set here, which a restored state does not change; null once no state is accepted any more.
   */
  fresh: Set<string> | null;
}

/** An event in a room. `id` and `by` are ids of members, except in `enter`. */
export type Deed =
  | { readonly is: 'enter'; readonly id: string; readonly handle: string | null }
  /** A member's socket broke. */
  | { readonly is: 'drop'; readonly id: string }
  /** A member left, was away for too long, or was banned. */
  | { readonly is: 'leave'; readonly id: string }
  | { readonly is: 'kick'; readonly by: string; readonly id: string }
  | { readonly is: 'lock'; readonly by: string; readonly on: boolean }
  | { readonly is: 'set'; readonly by: string; readonly key: string; readonly value: string | undefined };

export type Refusal = 'kicked' | 'room_full' | 'room_locked' | 'not_host' | 'no_member' | 'too_large';

export interface Outcome {
  /** The frames for every remaining member, in order. */
  readonly told: readonly Told[];
  /** Why nothing happened; null if the deed was done. */
  readonly refused: Refusal | null;
}

export function newRoom(max: number): RoomState {
  return {
    members: new Map(),
    host: null,
    isLocked: false,
    max,
    barred: new Set(),
    nextOrder: 1,
    values: new Map(),
    valuesBytes: 0,
    version: 0,
    restored: 0,
    fresh: new Set(),
  };
}

/** Applies a deed to the room. Returns what the members are told. A refused deed changes nothing. */
export function happen(room: RoomState, deed: Deed): Outcome {
  switch (deed.is) {
    case 'enter':
      return enter(room, deed.id, deed.handle);
    case 'drop':
      return drop(room, deed.id);
    case 'leave':
      return leave(room, deed.id);
    case 'kick':
      return kick(room, deed.by, deed.id);
    case 'lock':
      return lock(room, deed.by, deed.on);
    case 'set':
      return set(room, deed);
  }
}

/** Returns why a player may not enter now, or null. A member may always come back. */
export function refusalOf(
  { members, barred, isLocked, max }: Pick<RoomState, 'members' | 'barred' | 'isLocked' | 'max'>,
  id: string,
): 'kicked' | 'room_full' | 'room_locked' | null {
  if (barred.has(id)) return 'kicked';
  if (members.has(id)) return null;
  if (isLocked) return 'room_locked';
  return members.size >= max ? 'room_full' : null;
}

function enter(room: RoomState, id: string, handle: string | null): Outcome {
  const refused = refusalOf(room, id);
  if (refused !== null) return refuse(refused);
  const known = room.members.get(id);
  if (known) {
    const wasHere = known.here;
    // A guest may have signed in meanwhile.
    room.members.set(id, { ...known, handle, here: true });
    return did([...(wasHere ? [] : [{ is: 'back', id } as const]), ...handOver(room)]);
  }
  const member: SeatedMember = { id, handle, here: true, order: room.nextOrder++ };
  room.members.set(id, member);
  return did([{ is: 'join', member: shown(member) }, ...handOver(room)]);
}

function drop(room: RoomState, id: string): Outcome {
  const member = room.members.get(id);
  if (!member?.here) return refuse('no_member');
  member.here = false;
  return did([{ is: 'drop', id }, ...handOver(room)]);
}

function leave(room: RoomState, id: string): Outcome {
  if (!room.members.delete(id)) return refuse('no_member');
  return did([{ is: 'leave', id }, ...handOver(room)]);
}

function kick(room: RoomState, by: string, id: string): Outcome {
  if (room.host !== by) return refuse('not_host');
  if (id === by || !room.members.has(id)) return refuse('no_member');
  room.barred.add(id);
  return leave(room, id);
}

function lock(room: RoomState, by: string, on: boolean): Outcome {
  if (room.host !== by) return refuse('not_host');
  if (room.isLocked === on) return did([]);
  room.isLocked = on;
  return did([{ is: 'lock', on }]);
}

function set(room: RoomState, { by, key, value }: Extract<Deed, { is: 'set' }>): Outcome {
  if (!room.members.has(by)) return refuse('no_member');
  const bytes = room.valuesBytes - sizeIn(room.values, key) + (value === undefined ? 0 : sizeOf(key, value));
  if (bytes > roomLimits.stateBytes) return refuse('too_large');
  if (value === undefined) room.values.delete(key);
  else room.values.set(key, value);
  room.valuesBytes = bytes;
  room.version++;
  room.fresh?.add(key);
  return did([{ is: 'set', from: by, key, value }]);
}

/**
 * Restores values as a member had them from an earlier process. Values that were set here stay. Does nothing
 * and returns false if a newer state was restored already, or if the state is too large. Values that do not
 * fit beside those set here are left out.
 */
export function restore(
  room: RoomState,
  values: readonly (readonly [string, string])[],
  version: number,
): boolean {
  const { fresh } = room;
  const given = values.reduce((sum, [key, value]) => sum + sizeOf(key, value), 0);
  if (fresh === null || version <= room.restored || given > roomLimits.stateBytes) return false;
  for (const key of [...room.values.keys()]) if (!fresh.has(key)) room.values.delete(key);
  room.valuesBytes = [...room.values].reduce((sum, [key, value]) => sum + sizeOf(key, value), 0);
  for (const [key, value] of values) {
    const bytes = room.valuesBytes - sizeIn(room.values, key) + sizeOf(key, value);
    if (fresh.has(key) || bytes > roomLimits.stateBytes) continue;
    room.values.set(key, value);
    room.valuesBytes = bytes;
  }
  room.version += version - room.restored;
  room.restored = version;
  return true;
}

/**
 * Chooses the host. A host that is here stays host, and a host that comes back does not take the role from
 * another. Otherwise the oldest member that is here becomes host.
 */
function handOver(room: RoomState): Told[] {
  const { members, host } = room;
  if (host !== null && members.get(host)?.here) return [];
  const all = [...members.values()];
  const here = oldestOf(all.filter((member) => member.here));
  // If all members are away, the host stays host; if the host is gone, the oldest member becomes host.
  const still = host === null ? undefined : members.get(host);
  const id = (here ?? still ?? oldestOf(all))?.id ?? null;
  room.host = id;
  return id === null || id === host ? [] : [{ is: 'host', id }];
}

function oldestOf(members: readonly SeatedMember[]): SeatedMember | undefined {
  return members.toSorted((one, other) => one.order - other.order)[0];
}

export function shown({ id, handle, here }: SeatedMember): RoomMember {
  return { id, handle, here };
}

function sizeIn(values: ReadonlyMap<string, string>, key: string): number {
  const value = values.get(key);
  return value === undefined ? 0 : sizeOf(key, value);
}

function sizeOf(key: string, value: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value);
}

function did(told: readonly Told[]): Outcome {
  return { told, refused: null };
}

function refuse(refused: Refusal): Outcome {
  return { told: [], refused };
}
