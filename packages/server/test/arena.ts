import { randomBytes } from 'node:crypto';
import type { BoardDeclaration, Declarations } from '@spaceport/contract/declarations';
import { givenId, type SpaceId } from '../src/platform/db/ids.ts';
import { publishLive } from './files.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Persona, TestService } from './service.ts';

/** A live space with boards and a secret, for posting scores. */
export interface Arena {
  readonly creator: Persona;
  readonly slug: string;
  readonly spaceId: SpaceId;
  readonly secret: string;
  /** Makes a call with the space's secret. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
  post(body: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Posts one score, which must be accepted. Returns the answer. */
  score(board: string, player: string, score: number, more?: object): Promise<ScoreAnswer>;
  /** Reads a page of a board's public entries. */
  entries(board: string, query?: string): Promise<RawAnswer>;
  putBoards(boards: readonly BoardDeclaration[]): Promise<RawAnswer>;
  /** Declares stats and achievements. @throws an error if they are refused */
  putAchievements(declared: Pick<Declarations, 'stats' | 'achievements'>): Promise<void>;
}

export interface ScoreAnswer {
  submission: { id: number; board: string; player: string; score: number; created_at: string };
  rank: number;
  best: number;
  entries: number;
}

/** Makes a space with these boards. @throws an error if they are refused */
export async function makeArena(service: TestService, boards: readonly BoardDeclaration[]): Promise<Arena> {
  const creator = await service.creator();
  const { slug } = (await publishLive(service, creator)).space;
  const issued = await creator.call('POST', `/api/spaces/${slug}/secret`);
  const { secret } = issued.json();
  const { db } = service.service.platform.database;
  const { id: spaceId } = await db
    .selectFrom('spaces')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const call: Arena['call'] = (method, path, body, headers = {}) =>
    service.anonymous.call(method, path, body, { authorization: `Bearer ${secret}`, ...headers });
  const post: Arena['post'] = (body, headers) => call('POST', '/api/v1/scores', body, headers);
  const putBoards = (declared: readonly BoardDeclaration[]) =>
    creator.call('PUT', `/api/spaces/${slug}/boards`, { boards: declared });
  const put = await putBoards(boards);
  if (put.status !== 200) throw new Error(put.text());
  return {
    creator,
    slug,
    spaceId,
    secret,
    call,
    post,
    putBoards,
    async putAchievements(declared) {
      const answer = await creator.call('PUT', `/api/spaces/${slug}/achievements`, declared);
      if (answer.status !== 200) throw new Error(answer.text());
    },
    entries: (board, query = '') =>
      service.anonymous.call('GET', `/api/gallery/${slug}/boards/${board}/entries${query}`),
    async score(board, player, score, more = {}) {
      const answer = await post({ board, player, score, ...more });
      if (answer.status !== 201) throw new Error(answer.text());
      return answer.json();
    },
  };
}

/** Makes accounts with handles for players. Nobody signs in to them. */
export async function makePlayers(service: TestService, count: number): Promise<string[]> {
  const { database, clock } = service.service.platform;
  const prefix = `p${randomBytes(4).toString('hex')}`;
  const players = Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
  const rows = players.map((handle) => ({
    id: givenId('usr', `cre_${handle}`),
    handle,
    name: handle,
    email: `${handle}@example.org`,
    operator: 0 as const,
    banned_at: null,
    created_at: clock.now(),
  }));
  await database.db.insertInto('creators').values(rows).execute();
  return players;
}
