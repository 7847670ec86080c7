import { randomBytes } from 'node:crypto';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId, type PlaySessionId, type RunId, type SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { rememberedKey } from '../platform/secrets/installation-keys.ts';
import type { PlayCaller } from './play-caller.ts';
import { markOf, seal, unseal } from './seal.ts';

/**
 * A player's session in a space, as its page has it. It is stored nowhere: the sealed text contains it.
 * Instants are in epoch milliseconds.
 */
export interface PlaySession {
  readonly spaceId: SpaceId;
  readonly env: Env;
  /** The number of the loaded version; null for a page that runs elsewhere. */
  readonly version: number | null;
  /**
   * The player's mark, as `playerMark` makes it. It reveals nothing to a space, and two spaces cannot tell
   * that they have the same player.
   */
  readonly player: string;
  readonly startedAt: number;
  readonly endsAt: number;
  /** 128 random bits: the id of the session in posts that were made in it. */
  readonly nonce: PlaySessionId;
  /** Sessions of the space's owner and of robots do not count as plays. */
  readonly by: 'player' | 'owner' | 'robot';
}

/** A single run on a board. It begins in a session and may end in another one. */
export interface PlayRun extends Omit<PlaySession, 'nonce'> {
  readonly board: string;
  /** The session in which it began. */
  readonly session: PlaySessionId;
  readonly nonce: RunId;
}

/** Returns the mark of an account or a guest in a space: `player` in their sessions. */
export type PlayerMarks = (spaceId: SpaceId, player: Exclude<PlayCaller, { kind: 'nobody' }>) => string;

export interface PlaySessions {
  /** Opens a session, which ends at `endsAt` at the latest. */
  open(
    what: Pick<PlaySession, 'spaceId' | 'env' | 'version' | 'by'> & { readonly endsAt: number },
    caller: PlayCaller,
  ): Promise<{ session: PlaySession; sealed: string }>;
  /**
   * Returns the session if it is the caller's and not over.
   * @throws `session_over`
   */
  read(sealed: string, caller: PlayCaller): Promise<PlaySession>;
  startRun(session: PlaySession, board: string): Promise<{ sealed: string; seed: string }>;
  /**
   * Returns the run if it is not over and belongs to the caller, or to a guest that the
   * caller's account has adopted.
   * @throws `session_over`
   */
  readRun(
    sealed: string,
    caller: PlayCaller,
    adoptedKeys: (accountId: AccountId) => Promise<readonly string[]>,
  ): Promise<PlayRun>;
  /** Returns the function that makes the marks of players in sealed sessions. */
  marks(): Promise<PlayerMarks>;
  /** Returns a name of an account that is the same in every space. Only the service's own page may see it. */
  accountName(accountId: AccountId): Promise<string>;
  /** Returns the random seed of a run by its nonce. It is always the same. */
  seedOf(nonce: RunId): Promise<string>;
}

export function createPlaySessions({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): PlaySessions {
  const key = rememberedKey(database, 'play_key');
  const seedOf = async (nonce: RunId) => markOf(await key(), 'seed', nonce);
  return {
    async open({ endsAt, ...what }, caller) {
      const startedAt = clock.now();
      const nonce = givenId('play', newNonce());
      const session: PlaySession = {
        ...what,
        player: playerMark(await key(), what.spaceId, caller, nonce),
        startedAt,
        endsAt: Math.min(endsAt, startedAt + config.PLAY_SESSION_SECONDS * 1_000),
        nonce,
      };
      return { session, sealed: seal(await key(), 'session', session) };
    },
    async read(sealed, caller) {
      // Only `open` seals sessions.
      const session = unseal(await key(), 'session', sealed) as PlaySession | undefined;
      if (session === undefined || session.endsAt <= clock.now()) throw over();
      const player = playerMark(await key(), session.spaceId, caller, session.nonce);
      if (player !== session.player) throw over();
      return session;
    },
    async startRun({ nonce: session, ...from }, board) {
      const startedAt = clock.now();
      const run: PlayRun = {
        ...from,
        session,
        board,
        startedAt,
        endsAt: startedAt + config.PLAY_SESSION_SECONDS * 1_000,
        nonce: givenId('run', newNonce()),
      };
      return { sealed: seal(await key(), 'run', run), seed: await seedOf(run.nonce) };
    },
    async readRun(sealed, caller, adoptedKeys) {
      // Only `startRun` seals runs.
      const run = unseal(await key(), 'run', sealed) as PlayRun | undefined;
      if (run === undefined || run.endsAt <= clock.now()) throw over();
      if (playerMark(await key(), run.spaceId, caller, run.session) === run.player) return run;
      const keys = caller.kind === 'account' ? await adoptedKeys(caller.playerId) : [];
      const marks = keys.map((keyHash) => ({ kind: 'guest', keyHash }) as const);
      const own = await key();
      if (marks.some((guest) => playerMark(own, run.spaceId, guest, run.session) === run.player)) return run;
      throw over();
    },
    async marks() {
      const own = await key();
      return (spaceId, player) => playerMark(own, spaceId, player);
    },
    accountName: async (accountId) => markOf(await key(), 'own page', accountId),
    seedOf,
  };
}

/** Callers that are not known get another mark in each session. */
function playerMark(key: Buffer, spaceId: SpaceId, caller: PlayCaller, nonce = ''): string {
  if (caller.kind === 'account') return markOf(key, 'account', spaceId, caller.playerId);
  if (caller.kind === 'guest') return markOf(key, 'guest', spaceId, caller.keyHash);
  return markOf(key, 'nobody', spaceId, nonce);
}

function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

function over(): ServiceError {
  return new ServiceError(
    'session_over',
    'That session is over, or not this player’s: open the space again.',
  );
}
