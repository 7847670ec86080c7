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

/** What every post says beside what it writes. */
export interface Post {
  readonly player?: string | undefined;
  readonly player_token?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** A post with whose it is, where it goes, and where in the body it stands: `scores.3`; empty for the body itself. */
export type NamedPost<One extends Post> = Omit<One, keyof Post> & {
  readonly player: Player | ServiceError;
  readonly env: Env;
  readonly path: string;
};

/** The posts of one call: all of them are written, or none. */
export interface Call<One extends Post> {
  readonly spaceId: SpaceId;
  readonly posts: readonly NamedPost<One>[];
}

/** What sets one kind of call apart from the others. */
export interface CallKind<One extends Post, Result> {
  /** The field that holds a batch: `scores`. */
  readonly list: string;
  /** Of an answer that is no error. */
  readonly status: 200 | 201;
  /** What is locked of a space while its calls are written. */
  readonly lockOf: (spaceId: SpaceId) => string;
  /** Writes the calls of many together. Returns for each its results, or why it was refused. */
  write(tx: Tx, calls: readonly Call<One>[], now: number): Promise<(Result[] | ServiceError)[]>;
}

/** The posts of one request, single or a batch. */
export interface Posts<One extends Post> {
  readonly posts: readonly One[];
  readonly isBatch: boolean;
}

type Body<Result> = Result | { results: Result[] };

/** A request on its way into a transaction with others. */
interface Request<One extends Post> extends Posts<One>, GroupedRequest {
  readonly caller: SpaceCaller;
  /** By their place in `posts`. */
  readonly verified: ReadonlyMap<number, Verified>;
}

/** Whose a player token is, or why that is nobody. */
interface Verified {
  readonly player: Player | ServiceError;
  /** What it was verified for. */
  readonly env: Env;
}

/** Calls of one kind, committed together with those that arrive at the same time. */
export interface GroupedCalls<One extends Post, Result> {
  /** Writes the posts of a request: all of them or none. Returns after they are durable. */
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

/** Verifies the tokens of all posts together. One that is wrong is refused where its post is: a repeat is answered before. */
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

/** Whom posts name by handle. */
function typedHandles(posts: readonly Post[]): string[] {
  return posts.flatMap(({ player }) => (player === undefined ? [] : foldHandle(player)));
}

/** Whom posts name by token, as far as that is somebody. */
function verifiedHandles(verified: ReadonlyMap<number, Verified>): string[] {
  return Array.from(verified.values()).flatMap(({ player }) =>
    player instanceof ServiceError ? [] : player.handle,
  );
}

/** How requests of a kind of call are written: those whose secret is the space's still. */
function requestsOf<One extends Post, Result>(
  kind: CallKind<One, Result>,
): RequestKind<Request<One>, Body<Result>> {
  return {
    status: kind.status,
    lockOf: kind.lockOf,
    async begin(tx, all) {
      const states = await findCallerStates(
        tx,
        all.map(({ caller }) => caller),
      );
      return {
        refusal: ({ caller }) => (states.has(caller.secretHash) ? null : unauthorized()),
        async write(requests, now) {
          const results = await kind.write(tx, await toCalls(tx, requests, states, kind), now);
          return requests.map((request, index) => toBody(request, results[index]));
        },
      };
    },
  };
}

async function toCalls<One extends Post, Result>(
  tx: Tx,
  requests: readonly Request<One>[],
  states: ReadonlyMap<string, SpacesTable['state']>,
  { list }: CallKind<One, Result>,
): Promise<Call<One>[]> {
  const handles = requests.flatMap(({ posts }) => posts.flatMap(({ player }) => player ?? []));
  const playerOf = await findPlayers(tx.db, handles);
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

/** A token holds in one env only, and a page may have been claimed since it was verified. */
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
