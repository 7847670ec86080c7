import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Env, SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import type { OperationAnswer } from '../platform/http/operations.ts';
import { findPlayers, foldHandle, type Player, type Players, wrongToken } from '../players/players.ts';
import type { CallLimits } from './call-limits.ts';
import { envOf, findCallerStates, unauthorized } from './caller-space.ts';
import { type GroupedRequest, groupRequests, type RequestKind } from './grouped-requests.ts';
import type { IdempotencyKey } from './idempotency.ts';

/** The fields that every post has besides its data. */
export interface Post {
  readonly player?: string | undefined;
  readonly player_token?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** A post with its player, its env, and its path in the body: `scores.3`; empty for the body itself. */
export type NamedPost<One extends Post> = Omit<One, keyof Post> & {
  readonly player: Player | ServiceError;
  readonly env: Env;
  readonly path: string;
};

/** The posts of one call. Either all of them are written, or none. */
export interface Call<One extends Post> {
  readonly spaceId: SpaceId;
  readonly posts: readonly NamedPost<One>[];
}

/** Describes one kind of call. */
export interface CallKind<One extends Post, Result> {
  /** The name of the field with a batch: `scores`. */
  readonly list: string;
  /** The status of a successful answer. */
  readonly status: 200 | 201;
  /** Returns the name of the lock that is held while calls for a space are written. */
  readonly lockOf: (spaceId: SpaceId) => string;
  /** Writes several calls together. Returns for each its results, or the error that it was refused with. */
  write(tx: Tx, calls: readonly Call<One>[], now: number): Promise<(Result[] | ServiceError)[]>;
}

/** The posts of one request, which is a single post or a batch. */
export interface Posts<One extends Post> {
  readonly posts: readonly One[];
  readonly isBatch: boolean;
}

type Body<Result> = Result | { results: Result[] };

/** A request that waits for a transaction with others. */
interface Request<One extends Post> extends Posts<One>, GroupedRequest {
  readonly caller: SpaceCaller;
  /** Verified tokens by the index of their post. */
  readonly verified: ReadonlyMap<number, Verified>;
}

/** The player of a token, or the error if it is not valid. */
interface Verified {
  readonly player: Player | ServiceError;
  /** The env that the token was verified for. */
  readonly env: Env;
}

/** Calls of one kind, committed together with those that arrive at the same time. */
export interface GroupedCalls<One extends Post, Result> {
  /** Writes all posts of a request, or none. Returns after they are durable. */
  make(
    caller: SpaceCaller,
    posts: Posts<One>,
    key: IdempotencyKey | null,
  ): Promise<OperationAnswer<Body<Result>>>;
}

export function groupCalls<One extends Post, Result>(
  platform: Platform,
  players: Players,
  limits: CallLimits,
  kind: CallKind<One, Result>,
): GroupedCalls<One, Result> {
  const requests = groupRequests(platform, requestsOf(kind));
  return {
    async make(caller, { posts, isBatch }, key) {
      await limits.take(caller, posts.length, typedHandles(posts));
      const verified = await verifyTokens(platform, players, caller, posts, (index) =>
        pathOf(kind.list, index, isBatch),
      );
      await limits.takeOfPlayers(caller, verifiedHandles(verified));
      return requests.make({ spaceId: caller.spaceId, caller, posts, verified, isBatch, key });
    },
  };
}

/**
 * Verifies the tokens of all posts together. The error of a wrong token is kept for its post, because a
 * repeated request is answered before posts are checked.
 */
async function verifyTokens(
  { database }: Platform,
  players: Players,
  { spaceId, slug, unlisted }: SpaceCaller,
  posts: readonly Post[],
  pathAt: (index: number) => string,
): Promise<Map<number, Verified>> {
  const namings = posts.flatMap(({ player_token, sandbox }, index) => {
    if (player_token === undefined) return [];
    const env: Env = sandbox === true || unlisted ? 'sandbox' : 'live';
    return { index, naming: { player_token, env, path: pathAt(index), space: { id: spaceId, slug } } };
  });
  if (namings.length === 0) return new Map();
  const named = await players.resolveAll(
    database.db,
    namings.map(({ naming }) => naming),
  );
  return new Map(
    namings.flatMap(({ index, naming: { env } }, place) => {
      const player = named[place];
      return player === undefined ? [] : [[index, { player, env }]];
    }),
  );
}

/** Returns the handles by which posts name players. */
function typedHandles(posts: readonly Post[]): string[] {
  return posts.flatMap(({ player }) => (player === undefined ? [] : foldHandle(player)));
}

/** Returns the handles of the players whose tokens are valid. */
function verifiedHandles(verified: ReadonlyMap<number, Verified>): string[] {
  return Array.from(verified.values()).flatMap(({ player }) =>
    player instanceof ServiceError ? [] : player.handle,
  );
}

/**
 * Describes how requests of a kind of call are written. Only requests whose secret still
 * belongs to the space are.
 */
function requestsOf<One extends Post, Result>(
  kind: CallKind<One, Result>,
): RequestKind<Request<One>, Body<Result>> {
  return {
    status: kind.status,
    lockOf: kind.lockOf,
    async begin(tx, all) {
      const [states, playerOf] = await Promise.all([
        findCallerStates(
          tx,
          all.map(({ caller }) => caller),
        ),
        findPlayers(
          tx.db,
          all.flatMap(({ posts }) => posts.flatMap(({ player }) => player ?? [])),
        ),
      ]);
      return {
        refusal: ({ caller }) => (states.has(caller.secretHash) ? null : unauthorized()),
        async write(requests, now) {
          const results = await kind.write(tx, toCalls(requests, { states, playerOf }, kind), now);
          return requests.map((request, index) => toBody(request, results[index]));
        },
      };
    },
  };
}

/** What calls are checked against. */
interface Known {
  readonly states: ReadonlyMap<string, SpacesTable['state']>;
  readonly playerOf: (handle: string) => Player | ServiceError;
}

function toCalls<One extends Post, Result>(
  requests: readonly Request<One>[],
  { states, playerOf }: Known,
  { list }: CallKind<One, Result>,
): Call<One>[] {
  return requests.map(({ caller, posts, verified, isBatch }) => ({
    spaceId: caller.spaceId,
    posts: posts.map(({ player = '', player_token: _, sandbox, ...post }, index) => {
      const env = envOf(states.get(caller.secretHash) ?? 'listed', sandbox);
      const path = pathOf(list, index, isBatch);
      const token = verified.get(index);
      return { ...post, env, path, player: token ? playerIn(env, token, path) : playerOf(player) };
    }),
  }));
}

/**
 * Returns the player of a token if it is for this env. The page may have been claimed
 * since the token was verified.
 */
function playerIn(env: Env, { player, env: verifiedFor }: Verified, path: string): Player | ServiceError {
  return env === verifiedFor ? player : wrongToken(path, 'is of the page before it was claimed');
}

function toBody<Result>(
  { isBatch }: Pick<Request<Post>, 'isBatch'>,
  results: Result[] | ServiceError | undefined,
): Body<Result> | ServiceError {
  if (results instanceof ServiceError) return results;
  const [first] = results ?? [];
  if (!results || !first) throw new Error('a call without results');
  return isBatch ? { results } : first;
}

function pathOf(list: string, index: number, isBatch: boolean): string {
  return isBatch ? `${list}.${index}` : '';
}
