import {
  type AchievementPost,
  type AchievementResult,
  idempotencyHeader,
  type ScorePost,
  type ScoreResult,
  type StatPost,
  type StatResult,
} from '@spaceport/contract/server-calls';
import { type ClientOptions, createClient } from './client.ts';

export interface GameServerOptions extends Omit<ClientOptions, 'token' | 'claim'> {
  /** The board secret, which names the space. Never in a page: whoever has it posts any score. */
  secret: string;
}

export interface GameServerCall {
  signal?: AbortSignal | undefined;
  /**
   * Names this write, at most 128 printable characters: writing it again within a day, also after a restart of yours, gives
   * the first answer again and counts once. Default: a fresh one, so that a call is tried again but never counted twice.
   */
  idempotencyKey?: string | undefined;
}

/** What a space's own server does for its players. Each rejects with ApiError or ConnectionError. */
export interface GameServer {
  postScore(post: ScorePost, call?: GameServerCall): Promise<ScoreResult>;
  /** Up to 100, all of them or none. */
  postScores(posts: ScorePost[], call?: GameServerCall): Promise<ScoreResult[]>;
  postStat(post: StatPost, call?: GameServerCall): Promise<StatResult>;
  /** Up to 100, all of them or none. */
  postStats(posts: StatPost[], call?: GameServerCall): Promise<StatResult[]>;
  unlock(post: AchievementPost, call?: GameServerCall): Promise<AchievementResult>;
}

/** A client for the server of a game: what it writes is written once, however often it had to be sent. */
export function createGameServer({ secret, ...options }: GameServerOptions): GameServer {
  const client = createClient({ ...options, token: secret });
  const once = ({ signal, idempotencyKey = crypto.randomUUID() }: GameServerCall = {}) => ({
    signal,
    headers: { [idempotencyHeader]: idempotencyKey },
  });
  return {
    postScore: async (post, call) => single(await client.postScores({ body: post }, once(call))),
    postScores: async (posts, call) => many(await client.postScores({ body: { scores: posts } }, once(call))),
    postStat: async (post, call) => single(await client.postStats({ body: post }, once(call))),
    postStats: async (posts, call) => many(await client.postStats({ body: { stats: posts } }, once(call))),
    unlock: (post, call) => client.unlockAchievement({ body: post }, once(call)),
  };
}

/** One post is answered with its result, a list of them with `results`. */
function single<Result extends object>(answer: Result | { results: Result[] }): Result {
  if (!isMany(answer)) return answer;
  throw new TypeError('the service answered a list to one post');
}

function many<Result extends object>(answer: Result | { results: Result[] }): Result[] {
  if (isMany(answer)) return answer.results;
  throw new TypeError('the service answered one result to a list');
}

function isMany<Result extends object>(
  answer: Result | { results: Result[] },
): answer is { results: Result[] } {
  return 'results' in answer;
}
