/**
 * The protocol between a member's browser and a room, over a WebSocket. It has only types, limits and the
 * format of frames, and needs no library, because the module in a space's page is a small script.
 *
 * 1. `POST /api/player/rooms` gives an address and a ticket. The browser opens the address with the
 *    subprotocols `roomProtocol` and `ticketPrefix` + ticket; a ticket opens one socket, within `ticketMs`.
 * 2. The browser says `hello`, the room says `welcome`.
 * 3. From then on both sides count the frames they send, except beats. Each keeps the last `keptBytes` of
 *    them, so that a broken socket loses nothing: in the next hello and welcome each says how many it got,
 *    and the other sends the rest.
 *
 * A text frame is one letter and its content. A binary frame is a message of bytes: one byte with the length
 * of a name, the name, and the bytes. The name is a member's: the receiver in a member's frame, the sender in
 * a room's frame.
 */
export const roomProtocol = 'spaceport-room-1';
export const ticketPrefix = 'ticket.';

export const roomLimits = {
  leastMembers: 2,
  mostMembers: 16,
  usualMembers: 8,
  /** Size of one message, or of one value of the state. */
  messageBytes: 4 * 1024,
  messagesPerSecond: 30,
  /** Keys and values together, as JSON. */
  stateBytes: 64 * 1024,
  keyCharacters: 100,
  /** Bytes of sent frames that each side keeps for a socket that reconnects. */
  keptBytes: 64 * 1024,
  keptFrames: 4_096,
  ticketMs: 30_000,
  /** How long a member may be away and still come back as the same member. */
  awayMs: 30_000,
  /** Most bytes that may wait for a slow reader. Beyond that the socket is ended. */
  waitingBytes: 256 * 1024,
  /** Interval of the room's beats, which the member answers. */
  beatMs: 5_000,
  silentMs: 15_000,
} as const;

/** No vowels and no letters that look alike: a code is easy to read out, and spells no rude words. */
export const roomCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
export const roomCodeLength = 5;
export const roomCodePattern = /^[BCDFGHJKLMNPQRSTVWXZ]{5}$/u;

export interface RoomMember {
  /** The player's name in this space: `sub` of a player token. */
  id: string;
  /** Null for a guest. */
  handle: string | null;
  /** False while the member's socket is broken. */
  here: boolean;
}

/** A counted frame of a member. `value` is JSON text; without a value the key is deleted. */
export type Said =
  /** `to` is a member's id, `^` for the host, empty for all others. */
  | { is: 'message'; to: string; data: string | Uint8Array }
  | { is: 'set'; key: string; value: string | undefined }
  | { is: 'lock'; on: boolean }
  | { is: 'kick'; id: string };

export const toHost = '^';

/** A counted frame of a room. */
export type Told =
  | { is: 'message'; from: string; data: string | Uint8Array }
  | { is: 'set'; from: string; key: string; value: string | undefined }
  /** To the member who set the key: refused, because the state would have been too large. */
  | { is: 'unset'; key: string }
  | { is: 'join'; member: RoomMember }
  | { is: 'drop'; id: string }
  | { is: 'back'; id: string }
  | { is: 'leave'; id: string }
  | { is: 'host'; id: string }
  | { is: 'lock'; on: boolean }
  /** The new version of a state that was restored; later changes count from it. */
  | { is: 'version'; version: number };

/** A frame that is not counted. */
export interface RoomHello {
  /** `epoch` of the last welcome; null at the first hello. */
  epoch: string | null;
  /** Numbers of frames received from the room, and sent to it, since that epoch began. */
  got: number;
  sent: number;
  /** `version` of the state that the member knows. */
  version: number;
}

export interface RoomWelcome {
  /** The id of the welcomed member. */
  you: string;
  /** Both counts begin at 0 in each epoch. If it differs from the hello's epoch, a new epoch has begun. */
  epoch: string;
  /** Number of the member's frames that the room has received in the epoch. */
  got: number;
  /**
   * Whether the room asks the member for the state, because another process has the room now and does not
   * know it.
   */
  restore: boolean;
  /** Absent if the missed frames follow. */
  room?: RoomPicture;
}

/** The whole room, before the next frame. */
export interface RoomPicture {
  members: RoomMember[];
  host: string | null;
  locked: boolean;
  max: number;
  /** Key and value as JSON text. */
  state: [key: string, value: string][];
  /** Grows with each change of the state. */
  version: number;
  /**
   * Number of frames that the room has sent to the member in the epoch, including those that the member
   * missed.
   */
  sent: number;
}

export const beat = '~';
const helloLetter = 'h';
const welcomeLetter = 'w';
const leaveLetter = 'q';
const restoreLetter = 'r';

export const spellHello = (hello: RoomHello): string => helloLetter + JSON.stringify(hello);
export const spellWelcome = (welcome: RoomWelcome): string => welcomeLetter + JSON.stringify(welcome);
export const spellLeave = (): string => leaveLetter;
/** The frame that answers `restore` of a welcome. */
export const spellRestore = (state: RoomPicture['state'], version: number): string =>
  restoreLetter + JSON.stringify({ state, version });

/** Any text frame of a member. */
export type MemberFrame =
  | { is: 'hello'; json: string }
  | { is: 'leave' }
  | { is: 'restore'; json: string }
  | { is: 'beat' }
  | { is: 'said'; said: Said };

export function spellSaid(said: Said): string | Uint8Array<ArrayBuffer> {
  if (said.is === 'message')
    return typeof said.data === 'string' ? `m${said.to} ${said.data}` : spellBytes(said.to, said.data);
  if (said.is === 'set') return `s${spellSet(said.key, said.value)}`;
  return said.is === 'lock' ? `l${said.on ? 1 : 0}` : `k${said.id}`;
}

/** Returns a member's frame, or null for anything else. JSON text in the frame is not parsed here. */
export function readMemberFrame(frame: string | Uint8Array): MemberFrame | null {
  if (typeof frame !== 'string') {
    const read = readBytes(frame);
    return read && { is: 'said', said: { is: 'message', to: read.name, data: read.data } };
  }
  const rest = frame.slice(1);
  switch (frame[0]) {
    case 'm': {
      const space = rest.indexOf(' ');
      if (space < 0) return null;
      const message = { to: rest.slice(0, space), data: rest.slice(space + 1) };
      return { is: 'said', said: { is: 'message', ...message } };
    }
    case 's': {
      const set = readSet(rest);
      return set && { is: 'said', said: { is: 'set', ...set } };
    }
    case 'l':
      return rest === '0' || rest === '1' ? { is: 'said', said: { is: 'lock', on: rest === '1' } } : null;
    case 'k':
      return rest === '' ? null : { is: 'said', said: { is: 'kick', id: rest } };
    case helloLetter:
      return { is: 'hello', json: rest };
    case restoreLetter:
      return { is: 'restore', json: rest };
    case leaveLetter:
      return rest === '' ? { is: 'leave' } : null;
    case beat:
      return rest === '' ? { is: 'beat' } : null;
    default:
      return null;
  }
}

export function spellTold(told: Told): string | Uint8Array {
  switch (told.is) {
    case 'message':
      return typeof told.data === 'string' ? `m${told.from} ${told.data}` : spellBytes(told.from, told.data);
    case 'set':
      return `s${told.from} ${spellSet(told.key, told.value)}`;
    case 'unset':
      return `u${JSON.stringify(told.key)}`;
    case 'join':
      return `j${JSON.stringify(told.member)}`;
    case 'drop':
      return `d${told.id}`;
    case 'back':
      return `b${told.id}`;
    case 'leave':
      return `g${told.id}`;
    case 'host':
      return `o${told.id}`;
    case 'lock':
      return `l${told.on ? 1 : 0}`;
    case 'version':
      return `v${told.version}`;
  }
}

/** A frame of a room. `readRoomFrame` returns null for a frame of a newer protocol. */
export type RoomFrame = { is: 'welcome'; welcome: RoomWelcome } | { is: 'beat' } | { is: 'told'; told: Told };

export function readRoomFrame(frame: string | Uint8Array): RoomFrame | null {
  const told = (what: Told): RoomFrame => ({ is: 'told', told: what });
  if (typeof frame !== 'string') {
    const read = readBytes(frame);
    return read && told({ is: 'message', from: read.name, data: read.data });
  }
  const rest = frame.slice(1);
  const space = rest.indexOf(' ');
  switch (frame[0]) {
    case 'm':
      return told({ is: 'message', from: rest.slice(0, space), data: rest.slice(space + 1) });
    case 's': {
      const set = readSet(rest.slice(space + 1));
      return set && told({ is: 'set', from: rest.slice(0, space), ...set });
    }
    case 'u':
      return told({ is: 'unset', key: JSON.parse(rest) });
    case 'j':
      return told({ is: 'join', member: JSON.parse(rest) });
    case 'd':
      return told({ is: 'drop', id: rest });
    case 'b':
      return told({ is: 'back', id: rest });
    case 'g':
      return told({ is: 'leave', id: rest });
    case 'o':
      return told({ is: 'host', id: rest });
    case 'l':
      return told({ is: 'lock', on: rest === '1' });
    case 'v':
      return told({ is: 'version', version: Number(rest) });
    case welcomeLetter:
      return { is: 'welcome', welcome: JSON.parse(rest) };
    case beat:
      return { is: 'beat' };
    default:
      return null;
  }
}

/** The key as JSON, followed by the unchanged value: the room never parses values. */
function spellSet(key: string, value: string | undefined): string {
  const spelled = JSON.stringify(key);
  return value === undefined ? spelled : `${spelled}:${value}`;
}

function readSet(text: string): { key: string; value: string | undefined } | null {
  const spelled = /^"(?:[^"\\]|\\.)*"/u.exec(text)?.[0];
  if (spelled === undefined) return null;
  const rest = text.slice(spelled.length);
  if (rest !== '' && rest[0] !== ':') return null;
  try {
    return { key: JSON.parse(spelled), value: rest === '' ? undefined : rest.slice(1) };
  } catch {
    return null;
  }
}

function spellBytes(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + name.length + data.length);
  frame[0] = name.length;
  for (let at = 0; at < name.length; at++) frame[1 + at] = name.charCodeAt(at);
  frame.set(data, 1 + name.length);
  return frame;
}

function readBytes(frame: Uint8Array): { name: string; data: Uint8Array } | null {
  const [length] = frame;
  if (length === undefined || frame.length < 1 + length) return null;
  const name = String.fromCharCode(...frame.subarray(1, 1 + length));
  return { name, data: frame.subarray(1 + length) };
}
