import type { AnswerOf, BodyOf } from '@spaceport/contract/operation';
import type { postScores as operation, ScorePost, ScoreResult } from '@spaceport/contract/server-calls';
import { rankingsLock } from '../boards/change-entries.ts';
import { type NewScore, postScores } from '../boards/post-scores.ts';
import type { Platform } from '../platform/context.ts';
import { lockAll } from '../platform/db/dialect.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { Env, SpacesTable, Tx } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import type { OperationAnswer } from '../platform/http/operations.ts';
import { TokenBuckets } from '../platform/limits/token-buckets.ts';
import { findPlayers, type Player, type Players } from '../players/players.ts';
import { envOf, findCallerStates, unauthorized } from './caller-space.ts';
import {
  findKept,
  type IdempotencyKey,
  keepAnswers,
  keptKey,
  lockName,
  replayed,
  requireSameRequest,
} from './idempotency.ts';

type Body = BodyOf<typeof operation>;
type Answer = OperationAnswer<AnswerOf<typeof operation>>;

/** The scores of one request, on their way into a transaction with those of others. */
interface ScoreRequest {
  readonly caller: SpaceCaller;
  readonly posts: readonly ScorePost[];
  /** Players whose tokens were verified, by their place in `posts`. */
  readonly verified: ReadonlyMap<number, Player>;
  readonly isBatch: boolean;
  readonly key: IdempotencyKey | null;
}

export interface ScorePosts {
  /** Posts the scores of a request: all of them or none. Answers after they are durable. */
  post(caller: SpaceCaller, body: Body, key: IdempotencyKey | null): Promise<Answer>;
}

/** Score posts, committed together with those that arrive at the same time. */
export function createScorePosts(platform: Platform, players: Players): ScorePosts {
  const { database, clock, config } = platform;
  const perSpace = new TokenBuckets(config.SCORES_PER_MINUTE, clock);
  const perPlayer = new TokenBuckets(config.PLAYER_SCORES_PER_MINUTE, clock);
  const write = (tx: Tx, requests: readonly ScoreRequest[]) => writeRequests(platform, tx, requests);
  // Spaces whose writes may go on side by side do not wait for each other's.
  const lanes = Array.from({ length: database.writers }, () => new GroupCommit(database, write));

  function takeFromLimits({ spaceId }: SpaceCaller, posts: readonly ScorePost[]): void {
    const waits = [perSpace.take(spaceId, posts.length)];
    for (const { player, player_token } of posts)
      waits.push(perPlayer.take(`${spaceId} ${player?.toLowerCase().replace('@', '') ?? player_token}`));
    const retryAfterSeconds = Math.max(...waits.map((seconds) => seconds ?? 0));
    if (retryAfterSeconds > 0)
      throw new ServiceError('rate_limited', 'Too many scores; slow down.', { retryAfterSeconds });
  }

  return {
    async post(caller, body, key) {
      const isBatch = 'scores' in body;
      const posts = isBatch ? body.scores : [body];
      takeFromLimits(caller, posts);
      const verified = await verifyTokens(platform, players, caller, posts, isBatch);
      const lane = lanes[laneOf(caller.spaceId, lanes.length)] ?? lanes[0];
      const answer = await lane?.commit({ caller, posts, verified, isBatch, key });
      if (answer === undefined) throw new Error('no lane to commit in');
      if (answer instanceof ServiceError) throw answer;
      return answer;
    },
  };
}

/** Any number of [0, lanes) that is always the same for a space. */
function laneOf(spaceId: string, lanes: number): number {
  return spaceId.charCodeAt(spaceId.length - 1) % lanes;
}

async function verifyTokens(
  { database }: Platform,
  players: Players,
  { spaceId, slug, unlisted }: SpaceCaller,
  posts: readonly ScorePost[],
  isBatch: boolean,
): Promise<Map<number, Player>> {
  const verified = new Map<number, Player>();
  for (const [index, { player_token, sandbox }] of posts.entries()) {
    if (player_token === undefined) continue;
    const env: Env = sandbox === true || unlisted ? 'sandbox' : 'live';
    const path = pathOf(index, isBatch);
    const naming = { player_token, env, path, space: { id: spaceId, slug } };
    verified.set(index, await players.resolve(database.db, naming));
  }
  return verified;
}

async function writeRequests(
  { clock, config }: Platform,
  tx: Tx,
  requests: readonly ScoreRequest[],
): Promise<(Answer | ServiceError)[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const spaceIds = new Set(requests.map(({ caller }) => caller.spaceId));
  await lockAll(tx, [...Array.from(spaceIds, rankingsLock), ...keys.map(lockName)]);
  const states = await findCallerStates(
    tx,
    requests.map(({ caller }) => caller),
  );
  const now = clock.now();
  const settings = { now, segmentSize: config.RANK_SEGMENT_SIZE };
  const answers = new Map<ScoreRequest, Answer | ServiceError>();
  // Of those with one key the second finds what the first was answered.
  for (let rest = requests; rest.length > 0; ) {
    const round = withKeysOnce(rest);
    await writeRound(tx, round, states, answers, settings);
    rest = rest.filter((request) => !answers.has(request));
  }
  return requests.map((request) => answers.get(request) ?? unauthorized());
}

function withKeysOnce(requests: readonly ScoreRequest[]): ScoreRequest[] {
  const seen = new Set<string>();
  return requests.filter(({ key }) => {
    if (key === null) return true;
    const name = keptKey(key);
    return !seen.has(name) && seen.add(name);
  });
}

/** Answers each of the requests, no two of which have the same key. */
async function writeRound(
  tx: Tx,
  requests: readonly ScoreRequest[],
  states: ReadonlyMap<string, SpacesTable['state']>,
  answers: Map<ScoreRequest, Answer | ServiceError>,
  settings: { now: number; segmentSize: number },
): Promise<void> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const kept = await findKept(tx, keys, settings.now);
  const fresh = requests.filter((request) => {
    const answer = earlierAnswer(request, states, kept);
    if (answer) answers.set(request, answer);
    return !answer;
  });
  const calls = await toCalls(tx, fresh, states);
  const results = calls.length === 0 ? [] : await postScores(tx, calls, settings);
  const toKeep = [];
  for (const [index, request] of fresh.entries()) {
    const answer = toAnswer(request, results[index]);
    answers.set(request, answer);
    if (request.key && !(answer instanceof ServiceError))
      toKeep.push({ ...request.key, status: 201, answer: JSON.stringify(answer.body) });
  }
  await keepAnswers(tx, toKeep, settings.now);
}

function earlierAnswer(
  { caller, key }: ScoreRequest,
  states: ReadonlyMap<string, SpacesTable['state']>,
  kept: Awaited<ReturnType<typeof findKept>>,
): Answer | ServiceError | null {
  if (!states.has(caller.secretHash)) return unauthorized();
  const found = key && kept.get(keptKey(key));
  if (!key || !found) return null;
  try {
    requireSameRequest(key, found);
    return replayed(found);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function toCalls(
  tx: Tx,
  requests: readonly ScoreRequest[],
  states: ReadonlyMap<string, SpacesTable['state']>,
): Promise<{ spaceId: string; scores: NewScore[] }[]> {
  const handles = requests.flatMap(({ posts }) => posts.flatMap(({ player }) => player ?? []));
  const playerOf = await findPlayers(tx, handles);
  return requests.map(({ caller, posts, verified, isBatch }) => ({
    spaceId: caller.spaceId,
    scores: posts.map(({ board, player = '', score, meta, sandbox }, index) => ({
      boardKey: board,
      env: envOf(states.get(caller.secretHash) ?? 'listed', sandbox),
      player: verified.get(index) ?? playerOf(player),
      score,
      meta,
      path: pathOf(index, isBatch),
    })),
  }));
}

function toAnswer(
  { isBatch }: ScoreRequest,
  results: ScoreResult[] | ServiceError | undefined,
): Answer | ServiceError {
  if (results instanceof ServiceError) return results;
  const [first] = results ?? [];
  if (!results || !first) throw new Error('a call without results');
  return { status: 201, body: isBatch ? { results } : first };
}

function pathOf(index: number, isBatch: boolean): string {
  return isBatch ? `scores.${index}` : '';
}
