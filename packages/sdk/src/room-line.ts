import { isForGood, type RoomEnding, roomEndingOf } from '@spaceport/contract/room-endings';
import {
  beat,
  type RoomHello,
  type RoomWelcome,
  readRoomFrame,
  roomLimits,
  roomProtocol,
  type Said,
  spellHello,
  spellLeave,
  spellRestore,
  spellSaid,
  type Told,
  ticketPrefix,
} from '@spaceport/contract/room-protocol';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import { isFault } from './faults.ts';

export interface LineOptions {
  /** Gets another ticket to the same room. */
  readonly again: () => Promise<RoomTicket>;
  /** Returns the known state, for a process that lacks it. */
  readonly known: () => { state: [string, string][]; version: number };
  /** Called when a socket is open and the missing frames have been sent. */
  readonly onWelcome: (welcome: RoomWelcome) => void;
  readonly onTold: (told: Told) => void;
  readonly onDrop: () => void;
  /** Called when the room has ended for this member. */
  readonly onEnd: (why: string) => void;
}

/** A sent frame, kept for a reconnect. */
interface Kept {
  readonly frame: ReturnType<typeof spellSaid>;
  readonly isSet: boolean;
}

/** The first retry comes soon, so that a process that takes over is reached at once. */
const firstAgainMs = 200;
const longestAgainMs = 1_000;
/** Codes after which no ticket can be had any more. */
const finalCodes = ['not_found', 'banned', 'closed', 'full', 'unsupported', 'invalid', 'sign_in_required'];

export interface RoomLine {
  /** Sends a frame now, or when the room can be reached again. */
  say(said: Said): void;
  leave(): void;
}

/** Opens a member's socket, and reopens it until the room ends. Each frame is delivered once and in order. */
export function openLine(first: RoomTicket, options: LineOptions): RoomLine {
  let socket: WebSocket | null = null;
  let isOver = false;
  let epoch: string | null = null;
  /** Numbers of frames received from the room, and of own frames, in this epoch. */
  let got = 0;
  let sent = 0;
  let kept: Kept[] = [];
  /** Number of frames since the socket broke. No process has them. */
  let unsent = 0;
  let isOpen = false;
  let awayAt: number | null = null;
  let againMs = firstAgainMs;
  let heardAt = performance.now();
  const watch = setInterval(() => {
    // Also one that never opens, or is never welcomed: over a line that changed, a browser waits for minutes.
    if (socket && performance.now() - heardAt > roomLimits.silentMs) broken(socket);
  }, roomLimits.beatMs);

  function open({ url, ticket }: RoomTicket): void {
    if (isOver) return;
    const opened = new WebSocket(url, [roomProtocol, ticketPrefix + ticket]);
    opened.binaryType = 'arraybuffer';
    socket = opened;
    heardAt = performance.now();
    opened.onopen = () => {
      const hello: RoomHello = { epoch, got, sent, version: options.known().version };
      opened.send(spellHello(hello));
    };
    opened.onmessage = ({ data }) => {
      if (socket === opened) hear(typeof data === 'string' ? data : new Uint8Array(data));
    };
    opened.onclose = ({ code }) => broken(opened, roomEndingOf(code));
  }

  function hear(data: string | Uint8Array): void {
    heardAt = performance.now();
    const frame = readRoomFrame(data);
    if (frame?.is === 'beat') socket?.send(beat);
    if (frame?.is === 'welcome') welcome(frame.welcome);
    if (frame?.is !== 'told') return;
    got++;
    options.onTold(frame.told);
  }

  function welcome(given: RoomWelcome): void {
    const isSame = given.epoch === epoch;
    epoch = given.epoch;
    if (given.room) got = given.room.sent;
    const known = options.known();
    // It is unknown which frames an ended process had received, so they are not sent twice. `room.ts` sends
    // set keys again.
    const missing = isSame ? sent - given.got : unsent;
    const rest = (missing > 0 ? kept.slice(-missing) : []).filter(({ isSet }) => isSame || !isSet);
    if (!isSame) keep(rest);
    sent = (isSame ? given.got : 0) + rest.length;
    unsent = 0;
    isOpen = true;
    awayAt = null;
    againMs = firstAgainMs;
    if (given.restore) {
      socket?.send(spellRestore(known.state, known.version));
      // The known state stays here until the room confirms it, because the socket may break before.
      Object.assign(given.room ?? {}, known);
    }
    for (const { frame } of rest) socket?.send(frame);
    options.onWelcome(given);
  }

  /** Keeps as many frames as a reconnecting socket may ask for. */
  function keep(frames: Kept[]): void {
    let bytes = 0;
    let from = frames.length;
    while (from > 0 && frames.length - from < roomLimits.keptFrames) {
      bytes += frames[from - 1]?.frame.length ?? 0;
      if (bytes > roomLimits.keptBytes) break;
      from--;
    }
    kept = frames.slice(from);
  }

  function broken(which: WebSocket | null, ending: RoomEnding | null = null): void {
    if (which !== socket || isOver) return;
    socket = null;
    which?.close();
    if (isForGood(ending)) return void end(ending);
    if (isOpen) options.onDrop();
    isOpen = false;
    awayAt ??= performance.now();
    if (performance.now() - awayAt > roomLimits.awayMs) return void end('offline');
    setTimeout(
      () => {
        if (isOver) return;
        options.again().then(open, (error: unknown) => {
          if (isFault(error) && finalCodes.includes(error.code)) end(error.code);
          else broken(null);
        });
      },
      againMs * (0.5 + Math.random() / 2),
    );
    againMs = Math.min(againMs * 2, longestAgainMs);
  }

  function end(why: string): void {
    isOver = true;
    clearInterval(watch);
    socket = null;
    options.onEnd(why);
  }

  open(first);
  return {
    say(said) {
      const frame = spellSaid(said);
      keep([...kept, { frame, isSet: said.is === 'set' }]);
      sent++;
      if (isOpen) socket?.send(frame);
      else unsent++;
    },
    leave() {
      if (isOver) return;
      const last = socket;
      end('left');
      if (last?.readyState === 1) last.send(spellLeave());
      last?.close();
    },
  };
}
