import type { Made, MadePage, MadeQuery } from './made.ts';

/**
 * The protocol between a space's frame and the service's page around it. The module in the frame
 * (packages/sdk) calls, the page (packages/web) answers. Both are small scripts, so this needs no library.
 *
 * 1. The page gives the frame a name (`frameName`), then its address. The module reads the name and clears
 *    it.
 * 2. The frame posts `Hello` to the app's origin. The page checks its source window and origin, and answers
 *    with `Welcome` and one `MessagePort`. A `Hello` of another load closes the previous port.
 * 3. Over the port: `Call` → `Answer`, `Notice` without an answer, and `PageEvent` from the page.
 */
export const protocol = 1;

export const sdkLimits = {
  /** Calls and notices that a frame may send in any one second. */
  messagesPerSecond: 30,
  /** Largest `sizeOf` of a message's arguments: 256 KiB of content, and a little for the rest. */
  messageBytes: 257 * 1024,
  /** Calls that may wait for their answers at once. */
  waitingCalls: 256,
  /** How long `ready()` waits for the page, and any call except `player.signIn` for its answer. */
  readyMs: 2_000,
  callMs: 30_000,
  /** Limits of automatic error reports: kinds in a batch, characters of a message and of a stack. */
  errorsInBatch: 10,
  errorMessageCharacters: 500,
  errorStackCharacters: 4_000,
} as const;

export type { Made, MadePage, MadeQuery } from './made.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type Code =
  | 'offline'
  | 'timeout'
  | 'rate_limited'
  | 'sign_in_required'
  | 'cancelled'
  | 'banned'
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'too_large'
  | 'full'
  | 'closed'
  | 'unsupported';

export interface Player {
  /** Differs between spaces. A guest's id stays as long as the browser keeps the guest's key. */
  id: string;
  handle: string | null;
  guest: boolean;
}

export interface Result {
  /** From 1; for a guest the rank that the score would have. Null while the score is queued. */
  rank: number | null;
  best: number;
  improved: boolean;
  /** Null while the score is queued. */
  entries: number | null;
  /** The next player to beat; null at the top. */
  next: { handle: string; score: number } | null;
  /** Present if the score waits and is sent when the player is online again. */
  queued?: true;
}

export interface Entry {
  rank: number;
  handle: string;
  score: number;
  you: boolean;
}

export interface Page {
  period?: 'all' | 'day' | 'week' | 'month';
  /** 10 by default, 100 at most. */
  limit?: number;
}

export interface Save {
  slot: string;
  data: Json | Uint8Array;
  /**
   * Grows with every write of the slot, in large steps: compare versions, never count with them. Negative
   * while the write waits to be sent; 0 means an empty slot.
   */
  version: number;
  /** ISO time of the write. */
  at: string;
  /** The device that wrote it: "Chrome on Android". */
  device: string;
}

export interface Achievement {
  key: string;
  title: string;
  /** ISO time; null if the player has not unlocked it. */
  unlockedAt: string | null;
}

export type Env = 'live' | 'sandbox';

/** What the frame knows before the space's first script. It is not secret, and the page does not trust it. */
export interface FrameState {
  env: Env;
  player: Player;
  /** The language of the player's browser, as BCP 47. */
  locale: string;
  muted: boolean;
  /**
   * The space's `localStorage` as the page keeps it; null if nothing was kept yet. Missing if the page does
   * not keep it: then the space uses the browser's own storage.
   */
  kept?: StorageEntries | null;
  /** From the space's previous page in the same frame: its `sessionStorage`, and changes not taken yet. */
  session?: StorageEntries;
  untold?: StorageChange[];
}

/** Keys and values, in the order in which they were set. */
export type StorageEntries = [key: string, value: string][];
/** A value, or its removal; null empties the whole storage. */
export type StorageChange = [key: string, value: string | null] | null;

/** The frame's name. If the server wrote it, the fields that only the browser knows are missing. */
export type FrameName = Pick<FrameState, 'env' | 'player'> & Partial<FrameState>;

/** The frame's name is this and then `FrameName` as JSON. */
export const frameNamePrefix = 'spaceport:1:';

/** Keys of the boards that do not keep the best score; used when the space runs alone. */
export type BoardsKeeping = Readonly<Record<'last' | 'sum', readonly string[]>>;

/** The facts that the service writes into the served module, in place of `servedName`. */
export interface ServedModule {
  /** Origin of the service's pages, which are the only pages that may frame the space. */
  app: string;
  /** Whether a content host served it, in a page of a version: only the service can frame such a page. */
  hosted: boolean;
  env: Env;
  /** Number of the version. */
  version: number | null;
  /** Keys of the boards on which less is better; used when the space runs alone. */
  ascending: readonly string[];
  keeps?: BoardsKeeping;
  /** Portal name (portals.ts) → address of the replacement script. Missing if the space switched them off. */
  shims?: Readonly<Record<string, string>>;
  /** Address of the second script; missing if the module contains it. */
  together?: string;
  /** Whether the module replaces a `localStorage` that the browser refuses or the page keeps. */
  storage: boolean;
}
export const servedName = 'SPACEPORT_SERVED';

export interface Hello {
  spaceport: typeof protocol;
  /**
   * `version` is the version that the module was served with; null if unknown. `load` is random for each
   * load: the module repeats its hello until it is answered; the page answers a load's first hello only.
   */
  hello: { versions: number[]; version: number | null; load: string };
}

/** Sent to the frame's window with the port. */
export interface Welcome {
  spaceport: typeof protocol;
  welcome: Omit<FrameState, 'kept' | 'session' | 'untold'> & {
    version: number | null;
    online: boolean;
    /** The code of a room, if the page was opened by the link to the room. */
    invited?: string;
  };
}

/** The calls to the page: the arguments in order, and the answer's value. */
export interface Calls {
  'player.signIn': { args: []; answer: Player };
  'player.token': { args: []; answer: string };
  run: { args: [board: string]; answer: { run: string; seed: string } };
  'run.submit': {
    args: [run: string, score: number, more: { meta?: Json; replay?: Uint8Array }];
    answer: Result;
  };
  'scores.submit': { args: [board: string, score: number, meta?: Json]; answer: Result };
  'scores.top': { args: [board: string, page: Page]; answer: Entry[] };
  'scores.around': { args: [board: string, page: Page]; answer: Entry[] };
  'stats.add': { args: [key: string, by: number]; answer: number };
  'stats.set': { args: [key: string, value: number]; answer: number };
  'achievements.unlock': { args: [key: string]; answer: { first: boolean } };
  'achievements.list': { args: []; answer: Achievement[] };
  'saves.get': { args: [slot: string]; answer: Save | null };
  /**
   * `base` is the version that the write replaces, 0 for an empty slot. If the slot has another version, the
   * call fails with `conflict` and a `SaveConflict` in `detail`; the module then decides and writes again.
   */
  'saves.set': { args: [slot: string, data: Json | Uint8Array, base: number]; answer: Save };
  'saves.list': { args: []; answer: Omit<Save, 'data'>[] };
  'saves.delete': { args: [slot: string]; answer: null };
  'content.publish': { args: [kind: string, data: Json, title: string]; answer: Made };
  'content.list': { args: [kind: string, query: MadeQuery]; answer: MadePage };
  'content.get': { args: [id: string]; answer: Made };
  'content.like': { args: [id: string, on: boolean]; answer: { liked: boolean; likes: number } };
  'content.remove': { args: [id: string]; answer: null };
  'content.report': { args: [id: string]; answer: null };
  /** `create`, `join` and `quick` as POST /api/player/rooms has them. */
  'rooms.enter': {
    args: [how: 'create' | 'join' | 'quick', more: { code?: string; max?: number; open?: boolean }];
    answer: RoomTicket;
  };
  /** For the module only: changes of the `localStorage`, with a larger limit (`storageLimits`). */
  'storage.write': { args: [changes: StorageChange[]]; answer: null };
}

export interface RoomTicket {
  /** Address of the socket (room-protocol.ts). */
  url: string;
  ticket: string;
  code: string;
  link: string;
}
export type Method = keyof Calls;

/**
 * The notices to the page, which have no answer. Over the rate limit the module keeps the last one of each
 * name (and room), and sends it as soon as it may.
 */
export interface Notices {
  /** The space has called `ready()`. */
  ready: [];
  loading: [fraction: number];
  playing: [on: boolean];
  /** Play began: milliseconds until play was possible, and bytes loaded by then. */
  begun: [ms: number, bytes: number];
  celebrate: [];
  error: [reports: ErrorReport[]];
  /** The player is no longer in the room. Modules of the first release do not name it. */
  roomLeft: [code?: string];
  /** The player is in the room, or its members have changed: how many there are. The page asks the service for them. */
  roomChanged: [members: number, code?: string];
  /** Whether open rooms are shown beside the space. */
  lobby: [on: boolean];
  /** The query that an invitation passes to the space; null withdraws the invitation. */
  invite: [query: string | null];
}

export interface ErrorReport {
  kind: 'uncaught' | 'rejection' | 'reported';
  message: string;
  stack: string | null;
  /** Number of occurrences since the last notice. */
  count: number;
}

/** A call from the frame, through the port. `id` counts from 1 for each port. */
export type Call = { [M in Method]: { id: number; m: M; a: Calls[M]['args'] } }[Method];
export type Notice = { [M in keyof Notices]: { m: M; a: Notices[M] } }[keyof Notices];

/** An answer from the page, through the port. An unknown method is answered `unsupported`. */
export type Answer = { id: number; ok: unknown } | { id: number; err: CallError };

export interface CallError {
  code: Code;
  /** A sentence for the creator of the space. */
  message: string;
  /** Seconds. */
  retryAfter?: number;
  issues?: { path: string; message: string }[];
  /** Present for `conflict`. */
  detail?: SaveConflict;
}

export interface SaveConflict {
  mine: Save;
  /** The current save in the slot; the next write names its version. Null if the save was deleted. */
  theirs: Save | null;
}

export interface PageEvents {
  /** The page is hidden, or a part of it covers the frame. */
  pause: null;
  resume: null;
  mute: boolean;
  player: Player;
  online: boolean;
  /** Another version went live. */
  update: { version: number };
  /** The code of the open room that the player has chosen. */
  invited: string;
}
/** For the module only: another tab has changed the kept storage. */
export interface StorageNews {
  ev: 'storage';
  d: StorageChange[];
}
export type PageEvent =
  | { [E in keyof PageEvents]: { ev: E; d: PageEvents[E] } }[keyof PageEvents]
  | StorageNews;
