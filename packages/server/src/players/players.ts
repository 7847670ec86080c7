import type { KnownPlayer } from '@spaceport/contract/first-data';
import type { PlayerClaims } from '@spaceport/contract/players';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { createPlayerKeys, type PlayerKeys } from './keys.ts';
import type { PlayCaller } from './play-caller.ts';
import { createPlaySessions, type PlaySession, type PlaySessions } from './play-sessions.ts';
import { createPlayerTokens, type PlayerTokens } from './player-tokens.ts';
import { findAccountsByHandle } from './players.queries.ts';
import { createSubjects } from './subjects.ts';

/**
 * An account as a space's boards know it. A handle is chosen once, so that it always
 * belongs to the same account.
 */
export interface Player {
  readonly playerId: AccountId;
  readonly handle: string;
}

/** How a call names a player: by handle, or by a player token for the space and env that it writes to. */
export interface PlayerNaming {
  readonly player?: string | undefined;
  readonly player_token?: string | undefined;
  readonly env: Env;
  readonly space: { readonly id: SpaceId; readonly slug: string };
  /** The path of the player in the body, for `issues`: `scores.3`; empty for the body itself. */
  readonly path?: string;
}

/** A space, and the session in it if there is one yet. */
type SpaceSession = Pick<PlaySession, 'spaceId'> & Partial<Pick<PlaySession, 'nonce'>>;

export interface Players {
  readonly keys: PlayerKeys;
  readonly tokens: PlayerTokens;
  readonly sessions: PlaySessions;
  /**
   * Returns the name by which the session's space knows its player. An unknown player
   * gets one for that session.
   */
  nameFor(caller: PlayCaller, session: SpaceSession): Promise<string>;
  /** Returns the player as the page of the session's space knows it. */
  identify(caller: PlayCaller, session: SpaceSession): Promise<KnownPlayer>;
  /**
   * Resolves named players with one query for all. Returns for each its player or an error: `no_such_player`
   * if no account has the handle, or the token's account is gone; `invalid` with an issue for `player_token`
   * if the token is wrong, expired, or for another space or env. Verifying takes time, so call it before a
   * transaction and not inside. The result stays valid.
   */
  resolveAll(db: Db, namings: readonly PlayerNaming[]): Promise<(Player | ServiceError)[]>;
}

export function createPlayers(platform: Platform): Players {
  const keys = createPlayerKeys(platform);
  const subjectOf = createSubjects(platform.database);
  const tokens = createPlayerTokens(platform, keys, subjectOf);
  const sessions = createPlaySessions(platform);

  async function nameOf(naming: PlayerNaming): Promise<Named | ServiceError> {
    if (naming.player_token === undefined) return { handle: foldHandle(naming.player ?? ''), claims: null };
    const claims = await tokens.verify(naming.player_token, { slug: naming.space.slug, env: naming.env });
    if (typeof claims === 'string') return wrongToken(naming.path, claims);
    return { handle: foldHandle(claims.handle), claims };
  }

  async function resolveAll(db: Db, namings: readonly PlayerNaming[]) {
    const names = await Promise.all(namings.map(nameOf));
    const handles = new Set(names.flatMap((name) => (name instanceof ServiceError ? [] : [name.handle])));
    const accounts = handles.size === 0 ? [] : await findAccountsByHandle(db, [...handles]);
    const ids = new Map(accounts.map(({ id, handle }) => [handle, id]));
    return Promise.all(
      namings.map(async ({ space }, index): Promise<Player | ServiceError> => {
        const name = names[index];
        if (name === undefined || name instanceof ServiceError) return name ?? noSuchPlayer('');
        const playerId = ids.get(name.handle);
        // The handle of a deleted account must not lead to another account.
        const isWho =
          playerId !== undefined &&
          (name.claims === null || name.claims.sub === (await subjectOf(playerId, space.id)));
        return isWho ? { playerId, handle: name.handle } : noSuchPlayer(name.handle);
      }),
    );
  }

  async function nameFor(caller: PlayCaller, { spaceId, nonce }: SpaceSession) {
    if (caller.kind === 'account') return subjectOf(caller.playerId, spaceId);
    return subjectOf(caller.kind === 'guest' ? `guest ${caller.keyHash}` : `nobody ${nonce ?? ''}`, spaceId);
  }

  async function identify(caller: PlayCaller, session: SpaceSession): Promise<KnownPlayer> {
    const id = await nameFor(caller, session);
    if (caller.kind !== 'account') return { player: { id, handle: null, guest: true }, account: null };
    const { handle, playerId } = caller;
    return { player: { id, handle, guest: false }, account: await sessions.accountName(playerId) };
  }

  return { keys, tokens, sessions, nameFor, identify, resolveAll };
}

interface Named {
  readonly handle: string;
  readonly claims: PlayerClaims | null;
}

/** Returns a handle as accounts store it: lower case, without a leading @. */
export function foldHandle(typed: string): string {
  return typed.replace(/^@/u, '').toLowerCase();
}

/**
 * Returns a player by handle, in a transaction if the caller has one.
 * @returns undefined if no account has the handle
 */
export async function findPlayer(db: Db, typed: string): Promise<Player | undefined> {
  const handle = foldHandle(typed);
  const [account] = await findAccountsByHandle(db, [handle]);
  return account && { playerId: account.id, handle };
}

/**
 * Finds players by handle with one query, in a transaction if the caller has one.
 * @returns a function that gives for each handle its player, or the error that there is none
 */
export async function findPlayers(
  db: Db,
  typed: readonly string[],
): Promise<(typed: string) => Player | ServiceError> {
  const handles = new Set(typed.map(foldHandle));
  const accounts = handles.size === 0 ? [] : await findAccountsByHandle(db, [...handles]);
  const ids = new Map(accounts.map(({ id, handle }) => [handle, id]));
  return (named) => {
    const handle = foldHandle(named);
    const playerId = ids.get(handle);
    return playerId === undefined ? noSuchPlayer(handle) : { playerId, handle };
  };
}

/** Returns the error for an account without a handle: boards show the handle. */
export function noHandleYet(): ServiceError {
  return new ServiceError('no_handle', 'Pick a handle before playing for scores.');
}

function noSuchPlayer(handle: string): ServiceError {
  return new ServiceError('no_such_player', `There is no player @${handle}.`);
}

/**
 * @param path the path of the post in the body
 * @param message the end of a sentence that begins with «player_token»
 */
export function wrongToken(path: string | undefined, message: string): ServiceError {
  const at = path ? `${path}.player_token` : 'player_token';
  return new ServiceError('invalid', `${at} ${message}.`, { issues: [{ path: at, message }] });
}
