import type {
  Achievement,
  Code,
  Entry,
  Env,
  Json,
  Made,
  MadePage,
  MadeQuery,
  Page,
  PageEvents,
  Player,
  Result,
  Save,
} from '@spaceport/contract/sdk-protocol';

export type { Achievement, Code, Entry, Json, Made, MadePage, MadeQuery, Page, Player, Result, Save };

/** What a call that failed is rejected with. */
export interface SpaceportError extends Error {
  code: Code;
  /** Seconds, where the code is `rate_limited`. */
  retryAfter?: number;
  /** What is wrong with which argument, where the code is `invalid`. */
  issues?: { path: string; message: string }[];
}

/** One try at a board, from its start: its score counts once. */
export interface Run {
  /** The same for who plays the same run: for boards that want equal chances. */
  readonly seed: string;
  submit(score: number, more?: { meta?: Json; replay?: Uint8Array }): Promise<Result>;
}

/** A player in a room. */
export interface Member {
  /** As in `Player`. */
  id: string;
  handle: string | null;
  /** The oldest member who is there; what others do it decides, as far as the space asks it. It can cheat. */
  host: boolean;
  you: boolean;
}

/** A relay between 2 to 16 players of the space. */
export interface Room {
  readonly code: string;
  /** Opens the space with an invitation. */
  readonly link: string;
  /** In the order in which they came in. */
  members(): Member[];
  /**
   * To all others, to one member by its id, or to the host: at most 30 a second and 4 KiB each, `set` among them. While the
   * connection is gone it waits.
   */
  send(data: Json | Uint8Array, to?: string | 'host'): void;
  /** What all share, 64 KiB together: the last who sets a key has it. */
  get(key: string): Json | undefined;
  /** Without a value the key goes. */
  set(key: string, value?: Json): void;
  /** For the host: whether nobody new comes in. */
  lock(on: boolean): void;
  /** For the host: sends a member out, for good. */
  kick(id: string): void;
  leave(): void;
  /** Returns what takes the listener away again. */
  on<E extends keyof RoomEvents>(event: E, listener: (...given: RoomEvents[E]) => void): () => void;
}

/** What happens in a room, and what its listeners get. */
export interface RoomEvents {
  message: [data: Json | Uint8Array, from: string];
  /** Somebody else set a key; undefined where it is gone. */
  state: [key: string, value: Json | undefined];
  join: [member: Member];
  leave: [member: Member];
  host: [member: Member];
  /** A member's connection is gone for a moment, your own too; it has 30 seconds to come back. */
  drop: [member: Member];
  back: [member: Member];
  /** It is over for you: `left`, `kicked`, `banned`, `elsewhere` (in another tab), `offline`, `closed`, … */
  closed: [why: string];
}

/** What happens around the space, and what its listeners get. */
export type SpaceportEvents = PageEvents;

/** The global `Spaceport`. Every promise of it may be rejected with a `SpaceportError`, but that of `ready()`. */
export interface Spaceport {
  readonly protocol: 1;
  /** `local` where no service is behind it. */
  readonly env: Env | 'local';
  /** Number of the version that runs, null where that is unknown. */
  readonly version: number | null;
  readonly muted: boolean;
  /** BCP 47: `de-CH`. */
  readonly locale: string;
  /** Resolves within 2 seconds, whatever happens. */
  ready(): Promise<void>;
  /** How far loading has come, from 0 to 1. */
  loading(fraction: number): void;
  /** Whether a round is under way: what the service shows waits for its end. */
  playing(on: boolean): void;
  /** Something worth a moment has happened. */
  celebrate(): void;
  /** Returns what takes the listener away again. */
  on<E extends keyof SpaceportEvents>(event: E, listener: (value: SpaceportEvents[E]) => void): () => void;
  player: {
    get(): Player;
    /** Asks the player to sign in, in a dialog of the service over the paused space. `cancelled` where they do not. */
    signIn(): Promise<Player>;
    /** A token that the space's own server can check. `sign_in_required` for guests. */
    token(): Promise<string>;
  };
  /** Starts a run at a board. */
  run(board: string): Promise<Run>;
  scores: {
    submit(board: string, score: number, meta?: Json): Promise<Result>;
    top(board: string, page?: Page): Promise<Entry[]>;
    around(board: string, page?: Page): Promise<Entry[]>;
  };
  /** Both return the stat as it is now. */
  stats: { add(key: string, by?: number): Promise<number>; set(key: string, value: number): Promise<number> };
  achievements: { unlock(key: string): Promise<{ first: boolean }>; list(): Promise<Achievement[]> };
  saves: {
    get(slot: string): Promise<Save | null>;
    /** Goes out from the version that was last read or written here, or from `base`. */
    set(slot: string, data: Json | Uint8Array, base?: number): Promise<Save>;
    list(): Promise<Omit<Save, 'data'>[]>;
    delete(slot: string): Promise<void>;
    /** What decides where another device wrote meanwhile; without it the newer save wins. */
    onConflict(resolve: (mine: Save, theirs: Save) => Json | Uint8Array): void;
  };
  /** What players make for each other: levels, ghosts, drawings. Publishing and liking take an account. */
  content: {
    /** For everyone who plays the space, 64 KiB at most. `kind` is yours to choose. It never changes. */
    publish(kind: string, data: Json, title?: string): Promise<Made>;
    /** A page of one kind: `list(kind, { by: 'liked' })`; a text is the cursor of the next page. */
    list(kind: string, query?: MadeQuery | string): Promise<MadePage>;
    get(id: string): Promise<Made>;
    /** Likes it, or with `false` no more; a player counts once. */
    like(id: string, on?: boolean): Promise<{ liked: boolean; likes: number }>;
    /** What the player made. */
    remove(id: string): Promise<void>;
    /** Has the service ask the player what is wrong with it, over the paused space. */
    report(id: string): Promise<void>;
  };
  rooms: {
    /** 2 to 16 members, 8 where it is not said. `quick()` leads others into one that is open. */
    create(options?: { max?: number; open?: boolean }): Promise<Room>;
    join(code: string): Promise<Room>;
    /** Any open room with a free place, or a new one. */
    quick(): Promise<Room>;
    /**
     * The code in the link that the player came by, or of the open room that they chose last; null where there is none. Known
     * once `ready()` has resolved.
     */
    invited(): string | null;
    /** Whether the page shows open rooms beside the space, while the player is in none: choosing one is `on('invited')`. */
    lobby(on: boolean): void;
    /**
     * Has the page offer an invitation beside the space, in a room or in none. Who follows it finds `params` in the query of the
     * space's own address. Null takes it away.
     */
    invite(params: Readonly<Record<string, string>> | null): void;
  };
  /** Tells the space's creator of an error that was caught. Uncaught ones are told by themselves. */
  error(error: unknown): void;
  /**
   * Any method above by its name, for engines: arguments as a JSON array, the answer as JSON. Bytes are
   * `{"base64": "…"}` both ways. Rejected with a `SpaceportError` as well.
   */
  call(method: string, args: string): Promise<string>;
}
