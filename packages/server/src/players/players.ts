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

/** An account, as a space's boards know it. A handle is picked once, so that the two never part. */
export interface Player {
  readonly playerId: AccountId;
  readonly handle: string;
}

/** How a call names a player: by handle, or by a player token of the space and env it writes to. */
export interface PlayerNaming {
  readonly player?: string | undefined;
  readonly player_token?: string | undefined;
  readonly env: Env;
  readonly space: { readonly id: SpaceId; readonly slug: string };
  /** Where in the body it stands, for `issues`: `scores.3`; empty for the body itself. */
  readonly path?: string;
}

export interface Players {
  readonly keys: PlayerKeys;
  readonly tokens: PlayerTokens;
  readonly sessions: PlaySessions;
  /** The name that the session's space knows its player by; of nobody, one for that session. */
  nameFor(caller: PlayCaller, session: Pick<PlaySession, 'spaceId' | 'nonce'>): Promise<string>;
  /**
   * Who is named, by one query for all: for each its player, or `no_such_player` where no account has the handle, or the
   * token's account is gone; `invalid` with an issue of `player_token` for one that is wrong, expired, or of another space
   * or env. Verifying takes time: call it before a transaction, not inside. What it answers holds ever after.
   */
  resolveAll(db: Db, namings: readonly PlayerNaming[]): Promise<(Player | ServiceError)[]>;
}

export function createPlayers(platform: Platform): Players {
  const keys = createPlayerKeys(platform);
  const subjectOf = createSubjects(platform.database);
  const tokens = createPlayerTokens(platform, keys, subjectOf);

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
        // Not whoever has the handle of an account that is gone.
        const isWho =
          playerId !== undefined &&
          (name.claims === null || name.claims.sub === (await subjectOf(playerId, space.id)));
        return isWho ? { playerId, handle: name.handle } : noSuchPlayer(name.handle);
      }),
    );
  }

  async function nameFor(caller: PlayCaller, { spaceId, nonce }: Pick<PlaySession, 'spaceId' | 'nonce'>) {
    if (caller.kind === 'account') return subjectOf(caller.playerId, spaceId);
    return subjectOf(caller.kind === 'guest' ? `guest ${caller.keyHash}` : `nobody ${nonce}`, spaceId);
  }

  return { keys, tokens, sessions: createPlaySessions(platform), nameFor, resolveAll };
}

interface Named {
  readonly handle: string;
  readonly claims: PlayerClaims | null;
}

/** A handle as accounts have it: lower case, without the @ that people write before it. */
export function foldHandle(typed: string): string {
  return typed.replace(/^@/u, '').toLowerCase();
}

/**
 * A player by handle, in the caller's transaction where it has one.
 * @returns undefined where no account has it
 */
export async function findPlayer(db: Db, typed: string): Promise<Player | undefined> {
  const handle = foldHandle(typed);
  const [account] = await findAccountsByHandle(db, [handle]);
  return account && { playerId: account.id, handle };
}

/**
 * Players by handle, by one query, in the caller's transaction where it has one.
 * @returns who tells for each handle its player, or the error that there is none
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

function noSuchPlayer(handle: string): ServiceError {
  return new ServiceError('no_such_player', `There is no player @${handle}.`);
}

/** `message` follows «player_token»; `path` is where in the body its post stands. */
export function wrongToken(path: string | undefined, message: string): ServiceError {
  const at = path ? `${path}.player_token` : 'player_token';
  return new ServiceError('invalid', `${at} ${message}.`, { issues: [{ path: at, message }] });
}
