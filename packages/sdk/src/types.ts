import type {
  Achievement,
  Code,
  Entry,
  Env,
  Json,
  Page,
  PageEvents,
  Player,
  Result,
  Save,
} from '@spaceport/contract/sdk-protocol';

export type { Achievement, Code, Entry, Json, Page, Player, Result, Save };

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
  /** Tells the space's creator of an error that was caught. Uncaught ones are told by themselves. */
  error(error: unknown): void;
  /**
   * Any method above by its name, for engines: arguments as a JSON array, the answer as JSON. Bytes are
   * `{"base64": "…"}` both ways. Rejected with a `SpaceportError` as well.
   */
  call(method: string, args: string): Promise<string>;
}
