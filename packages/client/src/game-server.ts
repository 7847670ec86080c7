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
  /**
   * The board secret, which identifies the space. Never put it into a page: with it anyone can post any
   * score.
   */
  secret: string;
}

export interface GameServerCall {
  signal?: AbortSignal | undefined;
  /**
   * A name of this write, at most 128 printable characters. Repeating the write within a day, also after a
   * restart of your server, returns the first answer again and counts once. By default each call gets a new
   * key, so its retries count once.
   */
  idempotencyKey?: string | undefined;
}

/** The calls of a space's own server for its players. Each rejects with ApiError or ConnectionError. */
export interface GameServer {
  postScore(post: ScorePost, call?: GameServerCall): Promise<ScoreResult>;
  /** Up to 100, all of them or none. */
  postScores(posts: ScorePost[], call?: GameServerCall): Promise<ScoreResult[]>;
  postStat(post: StatPost, call?: GameServerCall): Promise<StatResult>;
  /** Up to 100, all of them or none. */
  postStats(posts: StatPost[], call?: GameServerCall): Promise<StatResult[]>;
  unlock(post: AchievementPost, call?: GameServerCall): Promise<AchievementResult>;
}

/** Returns a client for a game's server. Each write counts once, even if it has to be sent several times. */
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

/** Returns the result of a single post; a list of posts is answered with `results`. */
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
