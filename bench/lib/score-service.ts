import { mkdir } from 'node:fs/promises';
import type { BoardSettings } from '../../packages/server/src/boards/board-settings.ts';
import { rankAnew, seedBoard, seedPlayers, seedSpace, seedSubmissions } from './board-data.ts';
import { openData } from './open-data.ts';
import { type ScorePosts, scorePosts } from './score-load.ts';
import { createToken, type ServiceUnderTest, startService } from './service.ts';
import type { LoadOptions } from './wrk.ts';

/** Limits that no bench reaches. */
export const unlimited = { SCORES_PER_MINUTE: '1000000000', PLAYER_SCORES_PER_MINUTE: '1000000000' };

export interface ScoreService extends AsyncDisposable {
  readonly service: ServiceUnderTest;
  readonly slug: string;
  /** The board secret of the space. */
  readonly secret: string;
  /** An API token of its creator. */
  readonly token: string;
  /** Returns the options for `load` to post scores of random players. */
  posts(folder: string, name: string, body?: string): Promise<LoadOptions>;
}

/** Starts the service with one board, `main`, on which each of this many players has an entry. */
export async function startScoreService(
  dataFolder: string,
  players: number,
  environment: Record<string, string> = {},
  settings: Partial<BoardSettings> = {},
  role: 'all' | 'serve' = 'serve',
): Promise<ScoreService> {
  await mkdir(dataFolder);
  const token = await createToken(dataFolder, 'bench', environment);
  const { secret, slug } = await seedScores(dataFolder, players, environment, settings);
  const service = await startService(dataFolder, {
    role,
    environment: { ...environment, ...unlimited },
  });
  const headers = { Host: `localhost:${service.port}`, authorization: `Bearer ${secret}` };
  const posts: Omit<ScorePosts, 'body'> = {
    path: '/api/v1/scores',
    headers,
    players,
    fields: '"board":"main"',
  };
  return {
    service,
    slug,
    secret,
    token,
    posts: (folder, name, body) => scorePosts(folder, name, body === undefined ? posts : { ...posts, body }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Makes a space with one board, `main`, on which each of this many players has an entry. */
export async function seedScores(
  dataFolder: string,
  players: number,
  environment: Record<string, string>,
  settings: Partial<BoardSettings> = {},
): Promise<{ secret: string; slug: string }> {
  await using data = await openData(dataFolder, environment);
  const { spaceId, secret, slug } = await seedSpace(data.platform, 'bench');
  const board = await seedBoard(data.platform, spaceId, 'main', settings);
  const numbers = Array.from({ length: players }, (_, number) => number);
  await seedPlayers(data.platform, numbers);
  await seedSubmissions(data.platform, board, players);
  await rankAnew(data.platform, board);
  return { secret, slug };
}
