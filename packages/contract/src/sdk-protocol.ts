import type { Made, MadePage, MadeQuery } from './made.ts';

/**
 * What a space's frame and the service's page around it say to each other. The frame has the module (packages/sdk), the
 * page answers (packages/web). Types and limits alone: both sides are small scripts, so nothing here needs a library.
 *
 * 1. The page gives the frame a name (`frameName`), then its address. The module reads the name and clears it.
 * 2. The frame posts `Hello` to the app's origin. The page looks at who sent it and from which origin, and answers with
 *    `Welcome` and one `MessagePort`. A `Hello` of another load closes the port before it.
 * 3. Over the port: `Call` → `Answer`, `Notice` without an answer, and `PageEvent` from the page.
 */
export const protocol = 1;

export const sdkLimits = {
  /** Calls and notices that a frame may send in any one second. */
  messagesPerSecond: 30,
  /** `sizeOf` a message's arguments: 256 KiB for what is sent, and a little for what is around it. */
  messageBytes: 257 * 1024,
  /** Calls that may wait for their answers at once. */
  waitingCalls: 256,
  /** How long `ready()` waits for the page, and the longest that any call but `player.signIn` waits for its answer. */
  readyMs: 2_000,
  callMs: 30_000,
  /** Of errors that are reported by themselves: kinds in a batch, characters of a message and of a stack. */
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
  /** Another one in each space; that of a guest stays while the browser keeps it. */
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
  /** Who is to be beaten next. */
  next: { handle: string; score: number } | null;
  /** It is sent once the player is online again. */
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
   * Grows with every write of the slot, in large steps: compare it, never count with it. Below zero while the write waits to
   * be sent; 0 stands for an empty slot.
   */
  version: number;
  /** ISO time of the write. */
  at: string;
  /** What wrote it: "Chrome on Android". */
  device: string;
}

export interface Achievement {
  key: string;
  title: string;
  /** ISO time, or null for one that the player has not got. */
  unlockedAt: string | null;
}

export type Env = 'live' | 'sandbox';

/**
 * What the frame knows before the first script of the space runs. Nothing of it is a secret, or believed by the page.
 */
export interface FrameState {
  env: Env;
  player: Player;
  /** BCP 47, as the player's browser says it. */
  locale: string;
  muted: boolean;
  /**
   * What the page keeps of the space's `localStorage`; null where it has kept nothing yet. Missing where nobody keeps it: the
   * space then has what its browser gives it.
   */
  kept?: StorageEntries | null;
  /** Of the space's page before this one in the same frame: its `sessionStorage`, and changes that were not taken yet. */
  session?: StorageEntries;
  untold?: StorageChange[];
}

/** Keys and values, in the order in which they were set. */
export type StorageEntries = [key: string, value: string][];
/** A value, or its removal; null empties the whole storage. */
export type StorageChange = [key: string, value: string | null] | null;

/** What the frame's name says of it: the browser's own part is missing where the server wrote it. */
export type FrameName = Pick<FrameState, 'env' | 'player'> & Partial<FrameState>;

/** The frame's name is this and then `FrameName` as JSON. */
export const frameNamePrefix = 'spaceport:1:';

/** What the service writes into the module that it serves, where the module's text has `servedName`. */
export interface ServedModule {
  /** Origin of the service's pages: who may be around the frame. */
  app: string;
  /** Served by a content host, into a page of a version: nobody else's page can be around it. */
  hosted: boolean;
  env: Env;
  /** Number of the version. */
  version: number | null;
  /** Boards on which less is better, for where the space runs alone. */
  ascending: readonly string[];
  /** By name (portals.ts), the address of the script that stands in for a portal's; missing where the space does without. */
  shims?: Readonly<Record<string, string>>;
  /** Address of the second script; missing where the module brings it along. */
  together?: string;
  /** The space's `localStorage` is seen to, where its browser refuses it one or the page keeps it. */
  storage: boolean;
}
export const servedName = 'SPACEPORT_SERVED';

export interface Hello {
  spaceport: typeof protocol;
  /**
   * `version` is the one that the module was served with, null where that is unknown. `load` is random, another at each
   * load: the module says its hello again until it is answered, and the page answers only the first of a load.
   */
  hello: { versions: number[]; version: number | null; load: string };
}

/** Sent to the frame's window with the port. */
export interface Welcome {
  spaceport: typeof protocol;
  welcome: Omit<FrameState, 'kept' | 'session' | 'untold'> & {
    version: number | null;
    online: boolean;
    /** The code of a room, where the page was opened by the link to it. */
    invited?: string;
  };
}

/** What can be asked of the page: arguments in order, and what the answer holds. */
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
   * `base` is the version that the write goes out from, 0 for a slot that is believed empty. Fails with `conflict`, and
   * `SaveConflict` in its `detail`, where the slot has another: the module decides and writes again.
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
  /** Of the module alone: what the space has changed in its `localStorage`. It may be larger than other calls (`storageLimits`). */
  'storage.write': { args: [changes: StorageChange[]]; answer: null };
}

export interface RoomTicket {
  /** Where the socket is opened, which room-protocol.ts says all of. */
  url: string;
  ticket: string;
  code: string;
  link: string;
}
export type Method = keyof Calls;

/** What the page is told, without an answer. */
export interface Notices {
  /** The space has asked for `ready()`. */
  ready: [];
  loading: [fraction: number];
  playing: [on: boolean];
  /** Play began: milliseconds that it took until it could, and bytes loaded by then. */
  begun: [ms: number, bytes: number];
  celebrate: [];
  error: [reports: ErrorReport[]];
  /** The room that was entered last is over for the player. */
  roomLeft: [];
  /** Others are in it than before: who, the page asks the service. */
  roomChanged: [];
  /** Whether open rooms are shown beside the space. */
  lobby: [on: boolean];
  /** What an invitation beside the space hands to it, as the text of a query; null takes the invitation away. */
  invite: [query: string | null];
}

export interface ErrorReport {
  kind: 'uncaught' | 'rejection' | 'reported';
  message: string;
  stack: string | null;
  /** How often it happened since it was last told. */
  count: number;
}

/** From the frame, through the port. `id` counts from 1 for each port. */
export type Call = { [M in Method]: { id: number; m: M; a: Calls[M]['args'] } }[Method];
export type Notice = { [M in keyof Notices]: { m: M; a: Notices[M] } }[keyof Notices];

/** From the page, through the port. A method that it does not know is `unsupported`. */
export type Answer = { id: number; ok: unknown } | { id: number; err: CallError };

export interface CallError {
  code: Code;
  /** A sentence for the creator of the space. */
  message: string;
  /** Seconds. */
  retryAfter?: number;
  issues?: { path: string; message: string }[];
  /** Of `conflict`. */
  detail?: SaveConflict;
}

export interface SaveConflict {
  mine: Save;
  /** What is in the slot: the next write goes out from its version. Null where it was deleted. */
  theirs: Save | null;
}

export interface PageEvents {
  /** The page is hidden, or something of ours lies over the frame. */
  pause: null;
  resume: null;
  mute: boolean;
  player: Player;
  online: boolean;
  /** Another version went live. */
  update: { version: number };
  /** The player has chosen an open room: its code. */
  invited: string;
}
/** Told to the module alone: another tab has changed what is kept. */
export interface StorageNews {
  ev: 'storage';
  d: StorageChange[];
}
export type PageEvent =
  | { [E in keyof PageEvents]: { ev: E; d: PageEvents[E] } }[keyof PageEvents]
  | StorageNews;
