import type { RoomMember, RoomPicture, Told } from './room-protocol.ts';

/** A room as one member sees it. */
export interface RoomView {
  /** In the order in which they joined. */
  readonly members: Map<string, RoomMember>;
  host: string | null;
  locked: boolean;
  max: number;
  /** Values are JSON text. */
  readonly values: Map<string, string>;
  version: number;
}

export function viewOf({ members, host, locked, max, state, version }: RoomPicture): RoomView {
  return {
    members: new Map(members.map((member) => [member.id, { ...member }])),
    host,
    locked,
    max,
    values: new Map(state),
    version,
  };
}

/** Applies a frame of the room to a view. Messages change nothing. */
export function seeTold(view: RoomView, told: Told): void {
  switch (told.is) {
    case 'join':
      view.members.set(told.member.id, { ...told.member });
      break;
    case 'drop':
    case 'back': {
      const member = view.members.get(told.id);
      if (member) member.here = told.is === 'back';
      break;
    }
    case 'leave':
      view.members.delete(told.id);
      if (view.members.size === 0) view.host = null;
      break;
    case 'host':
      view.host = told.id;
      break;
    case 'lock':
      view.locked = told.on;
      break;
    case 'set':
      if (told.value === undefined) view.values.delete(told.key);
      else view.values.set(told.key, told.value);
      view.version++;
      break;
    case 'version':
      view.version = told.version;
  }
}
