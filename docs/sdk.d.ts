// The types of the player module: of the global `Spaceport` in every page of a space.
// Written by packages/sdk/scripts/write-types.ts.

declare var Spaceport: Spaceport.Api;

declare namespace Spaceport {
  /** The global `Spaceport`. Any of its promises except `ready()` may be rejected with a `SpaceportError`. */
  interface Api {
    readonly protocol: 1;
    /** `local` if no service is behind it. */
    readonly env: Env | 'local';
    /** Number of the version that runs; null if unknown. */
    readonly version: number | null;
    readonly muted: boolean;
    /** BCP 47: `de-CH`. */
    readonly locale: string;
    /** Resolves within 2 seconds, whatever happens. */
    ready(): Promise<void>;
    /** Reports the progress of loading, from 0 to 1. */
    loading(fraction: number): void;
    /** Reports whether a round is under way. The service's messages to the player wait for its end. */
    playing(on: boolean): void;
    /** Shows a short celebration around the space. */
    celebrate(): void;
    /** Returns what takes the listener away again. */
    on<E extends keyof SpaceportEvents>(event: E, listener: (value: SpaceportEvents[E]) => void): () => void;
    player: {
      get(): Player;
      /** Asks the player to sign in, in a dialog of the service over the paused space. @throws `cancelled` */
      signIn(): Promise<Player>;
      /** Returns a token that the space's own server can verify. @throws `sign_in_required` for guests */
      token(): Promise<string>;
    };
    /** Starts a run at a board. */
    run(board: string): Promise<Run>;
    scores: {
      submit(board: string, score: number, meta?: Given): Promise<Result>;
      top(board: string, page?: Page): Promise<Entry[]>;
      around(board: string, page?: Page): Promise<Entry[]>;
    };
    /** Both return the stat as it is now. */
    stats: { add(key: string, by?: number): Promise<number>; set(key: string, value: number): Promise<number> };
    achievements: { unlock(key: string): Promise<{ first: boolean }>; list(): Promise<Achievement[]> };
    saves: {
      get(slot: string): Promise<Save | null>;
      /** Replaces the version that was last read or written here, or `base`. */
      set(slot: string, data: Given, base?: number): Promise<Save>;
      list(): Promise<Omit<Save, 'data'>[]>;
      delete(slot: string): Promise<void>;
      /**
       * Sets the function that decides if another device wrote meanwhile. Without it, or if it returns nothing, the
       * newer save wins.
       */
      onConflict(resolve: (mine: Save, theirs: Save) => Given): void;
    };
    /**
     * Items that players make for each other: levels, ghosts, drawings. Publishing and liking need an account.
     */
    content: {
      /**
       * Publishes an item for all players of the space, 64 KiB at most. You choose `kind`. An item never
       * changes.
       */
      publish(kind: string, data: Given, title?: string): Promise<Made>;
      /** Returns a page of one kind: `list(kind, { by: 'liked' })`. A text as query is the cursor of a page. */
      list(kind: string, query?: MadeQuery | string): Promise<MadePage>;
      get(id: string): Promise<Made>;
      /** Likes an item, or with `false` takes the like back; a player counts once. */
      like(id: string, on?: boolean): Promise<{ liked: boolean; likes: number }>;
      /** Deletes an item of the player's own. */
      remove(id: string): Promise<void>;
      /** Opens the service's report dialog over the paused space. */
      report(id: string): Promise<void>;
    };
    rooms: {
      /** Creates a room for 2 to 16 members, 8 by default. `quick()` leads others into an `open` room. */
      create(options?: { max?: number; open?: boolean }): Promise<Room>;
      join(code: string): Promise<Room>;
      /** Joins any open room with a free place, or creates one. */
      quick(): Promise<Room>;
      /**
       * Returns the room code in the link that the player came by, or of the open room that they chose last, or
       * null. It is known once `ready()` has resolved.
       */
      invited(): string | null;
      /**
       * Shows or hides the open rooms beside the space, while the player is in none. Choosing one emits
       * `invited`.
       */
      lobby(on: boolean): void;
      /**
       * Has the page offer an invitation beside the space, whether the player is in a room or not. A player who
       * follows it has `params` in the query of the space's own address. Null withdraws the invitation.
       */
      invite(params: Readonly<Record<string, string>> | null): void;
    };
    /** Reports a caught error to the space's creator. Uncaught errors are reported automatically. */
    error(error: unknown): void;
    /**
     * Calls any method above by its name, for engines, with arguments as a JSON array. Returns the answer as
     * JSON. Bytes are `{"base64": "…"}` in both directions. It is rejected with a `SpaceportError` too.
     */
    call(method: string, args: string): Promise<string>;
  }

  /** The error with which a failed call is rejected. */
  interface SpaceportError extends Error {
    code: Code;
    /** Seconds to wait, for the code `rate_limited`. */
    retryAfter?: number;
    /** The wrong arguments, for the code `invalid`. */
    issues?: { path: string; message: string }[];
  }

  /** The events around the space, with the values that their listeners get. */
  type SpaceportEvents = PageEvents;

  /**
   * What a game gives to be kept or sent. It is kept as `JSON.stringify` writes it, so an object of an interface or
   * a class of yours fits too. A Uint8Array is kept as bytes in saves and messages.
   */
  type Given = Json | object;

  /** One try at a board, from its start: its score counts once. */
  interface Run {
    /** A random text from the service. A generator that starts from it makes the run reproducible. */
    readonly seed: string;
    submit(score: number, more?: { meta?: Given; replay?: Uint8Array }): Promise<Result>;
  }

  /** A relay between 2 to 16 players of the space. */
  interface Room {
    readonly code: string;
    /** A link that opens the space and leads into the room. */
    readonly link: string;
    /** The members, in the order in which they joined. */
    members(): Member[];
    /**
     * Sends to all others, to one member by its id, or to the host: at most 30 messages a second, including
     * `set`, and 4 KiB each. While the connection is lost, messages wait.
     */
    send(data: Given, to?: string | 'host'): void;
    /** Returns a value of the shared state, which has 64 KiB in all. The last write of a key wins. */
    get(key: string): Json | undefined;
    /** Sets a value of the shared state; without a value the key is deleted. */
    set(key: string, value?: Given): void;
    /** For the host: closes or opens the room to new members. */
    lock(on: boolean): void;
    /** For the host: removes a member, who cannot come back. */
    kick(id: string): void;
    leave(): void;
    /** Returns what takes the listener away again. */
    on<E extends keyof RoomEvents>(event: E, listener: (...given: RoomEvents[E]) => void): () => void;
  }

  interface Player {
    /** Differs between spaces. A guest's id stays as long as the browser keeps the guest's key. */
    id: string;
    handle: string | null;
    guest: boolean;
  }

  interface Result {
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

  interface Entry {
    rank: number;
    handle: string;
    score: number;
    you: boolean;
  }

  interface Page {
    period?: 'all' | 'day' | 'week' | 'month';
    /** 10 by default, 100 at most. */
    limit?: number;
  }

  interface Save {
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

  interface Achievement {
    key: string;
    title: string;
    /** ISO time; null if the player has not unlocked it. */
    unlockedAt: string | null;
  }

  type Env = 'live' | 'sandbox';

  /** Something that a player of the space made for the others. */
  interface Made {
    id: string;
    /** The kind, as the space named it. */
    kind: string;
    /** The player's title; may be empty. It is text: escape it before you put it into HTML. */
    title: string;
    /** The maker's handle. */
    handle: string;
    data: Json;
    likes: number;
    /** Whether the player likes it. */
    liked: boolean;
    /** Whether the player made it. */
    yours: boolean;
    /** ISO time. */
    at: string;
  }

  interface MadePage {
    items: Made[];
    /** `cursor` of the next page; null on the last page. */
    next: string | null;
  }

  interface MadeQuery {
    /** The order: the newest first (default), or the most liked first. */
    by?: 'new' | 'liked';
    /** Only the player's own items, the newest first. */
    mine?: boolean;
    /** `next` of the previous page. */
    cursor?: string;
    /** 20 by default, 50 at most. */
    limit?: number;
  }

  type Code =
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

  interface PageEvents {
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

  type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

  /** A player in a room. */
  interface Member {
    /** The same id as in `Player`, when the member entered. */
    id: string;
    handle: string | null;
    /**
     * Whether the member is the host: the one who has been in longest. Games may let it decide; it can cheat.
     */
    host: boolean;
    you: boolean;
  }

  /** The events of a room, with the arguments of their listeners. */
  interface RoomEvents {
    message: [data: Json | Uint8Array, from: string];
    /** Somebody else set a key; undefined if the key was deleted. */
    state: [key: string, value: Json | undefined];
    join: [member: Member];
    leave: [member: Member];
    host: [member: Member];
    /** A member's connection, perhaps your own, is lost; the member has 30 seconds to come back. */
    drop: [member: Member];
    back: [member: Member];
    /**
     * You are no longer in the room: `left`, `kicked`, `banned`, `elsewhere` (another tab), `offline`,
     * `closed`, …
     */
    closed: [why: string];
  }
}
