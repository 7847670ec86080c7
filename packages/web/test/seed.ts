import type { SpaceFields } from '@spaceport/contract/spaces';
import type { Browser } from 'playwright-core';
import { storePicture, takePath } from '../../server/src/clips/pictures.ts';
import { toJson } from '../../server/src/platform/db/json.ts';
import { type Files, publishLive } from '../../server/test/files.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { drawPicture } from './pictures.ts';
import { seedWinnings } from './winnings.ts';

/** A game that visibly runs: it draws, and changes its title. */
export const game: Files = {
  'index.html':
    '<!doctype html><title>Game</title><style>html,body{margin:0;height:100%;background:#10131f}canvas{display:block;width:100%;height:100%}</style><canvas></canvas><script src="game.js"></script>',
  'game.js': `const canvas = document.querySelector('canvas');
const draw = canvas.getContext('2d');
canvas.width = innerWidth; canvas.height = innerHeight;
const sky = draw.createLinearGradient(0, 0, 0, canvas.height);
sky.addColorStop(0, '#10131f'); sky.addColorStop(1, '#3a3f8f');
draw.fillStyle = sky; draw.fillRect(0, 0, canvas.width, canvas.height);
for (let i = 0; i < 120; i++) { draw.fillStyle = 'rgba(255,255,255,' + (i % 10) / 12 + ')'; draw.fillRect((i * 97) % canvas.width, (i * 53) % canvas.height, 2, 2); }
draw.fillStyle = '#ffd479'; draw.beginPath(); draw.arc(canvas.width * 0.7, canvas.height * 0.3, canvas.height * 0.09, 0, 7); draw.fill();
draw.fillStyle = '#0b0d17'; draw.beginPath(); draw.moveTo(0, canvas.height);
for (let x = 0; x <= canvas.width; x += 40) draw.lineTo(x, canvas.height * 0.78 + Math.sin(x / 90) * 34);
draw.lineTo(canvas.width, canvas.height); draw.fill();
document.title = 'running';`,
};

type Listed = Pick<SpaceFields, 'title' | 'space_type'> & Partial<SpaceFields>;

/**
 * Spaces as on a service that has run for a while: long and short titles, every kind of creator, some without
 * a picture.
 */
const spaces: readonly (Listed & { by: string; plays: number })[] = [
  { by: 'mira', plays: 18_432, title: 'Mothlight', space_type: 'game' },
  { by: 'jonas_w', plays: 2_310, title: 'Tide Keeper', space_type: 'game' },
  { by: 'atelier_nord', plays: 640, title: 'Colour Loom', space_type: 'art' },
  { by: 'mira', plays: 155_020, title: 'Paper Planets', space_type: 'game' },
  { by: 'ines', plays: 87, title: 'Metronome for people who rush', space_type: 'music' },
  { by: 'jonas_w', plays: 0, title: 'Unit converter', space_type: 'tool' },
  {
    by: 'ines',
    plays: 4_012,
    title: 'The Lighthouse Letters: a story in eleven storms and one very long night',
    space_type: 'story',
  },
  { by: 'atelier_nord', plays: 991, title: 'Slime', space_type: 'toy' },
  { by: 'mira', plays: 320, title: 'Fractions, gently', space_type: 'learning' },
  { by: 'ines', plays: 12, title: 'Habit garden', space_type: 'app' },
  { by: 'jonas_w', plays: 5_604, title: 'Hexagon Harbour', space_type: 'game' },
  { by: 'mira', plays: 7_811, title: 'Moon Hopper', space_type: 'game' },
];

/** The space whose page the tests look at. */
export const shownSpace: SpaceFields = {
  title: 'Moon Hopper',
  space_type: 'game',
  devices: ['desktop', 'mobile', 'gamepad'],
  description:
    'Hop from moon to moon and bring the lamp keeper home before the tide turns.\n\nArrow keys or a gamepad; on a phone, tap where you want to land. Hold to charge a longer jump.',
  engine: 'None: canvas and a little patience',
  ai_tools: ['Claude Code'],
  models: ['Opus'],
  how_made:
    'Two weekends. The jump was tuned by hand on paper first, then by playing it a few hundred times; the skies are drawn by a short program from a seed, so that no two nights look the same.',
  source_url: 'https://example.org/moon-hopper',
};

export interface Seeded {
  /** Creators by handle. */
  readonly creators: ReadonlyMap<string, Persona>;
  /** Slugs by title. */
  readonly slugs: ReadonlyMap<string, string>;
}

/** Fills a service: four creators, twelve spaces, most of them with a picture. */
export async function seed(service: TestService, browser: Browser): Promise<Seeded> {
  const creators = new Map<string, Persona>();
  const slugs = new Map<string, string>();
  const page = await browser.newPage();
  for (const [index, { by, plays, ...listed }] of spaces.entries()) {
    const creator = creators.get(by) ?? (await service.creator(by));
    creators.set(by, creator);
    const shown = listed.title === shownSpace.title ? shownSpace : {};
    const fields = { devices: ['desktop' as const], ...listed, ...shown };
    const { space } = await publishLive(service, creator, game, { fields });
    slugs.set(listed.title, space.slug);
    await decorate(service, space.slug, plays, index % 5 === 4 ? null : await drawPicture(page, index));
  }
  const mira = creators.get('mira');
  if (mira) await seedWinnings(service, mira, slugs.get(shownSpace.title) ?? '');
  await page.close();
  return { creators, slugs };
}

/** Sets the number of plays, and a picture if there is one. */
async function decorate(
  service: TestService,
  slug: string,
  plays: number,
  picture: Buffer | null,
): Promise<void> {
  const { db } = service.service.platform.database;
  await db.updateTable('spaces').set({ plays }).where('slug', '=', slug).execute();
  if (picture !== null) await setPicture(service, slug, picture);
}

/** Stores a picture as the take of a space, as if a browser had taken it. */
export async function setPicture(
  { service: { platform } }: TestService,
  slug: string,
  picture: Buffer,
): Promise<void> {
  const { database, store, clock } = platform;
  const { id } = await database.db
    .selectFrom('spaces')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const key = await storePicture(store, new Uint8Array(picture));
  const takenAt = clock.now();
  const clip = { path: takePath(id, 1), width: 1280, height: 720, take: 1, takenAt };
  await database.transaction(async (tx) => {
    await tx.db
      .insertInto('clips')
      .values({ space_id: id, take: 1, key, key_small: key, version_id: null, taken_at: takenAt })
      .execute();
    await tx.db
      .updateTable('spaces')
      .set({ clip: toJson(clip) })
      .where('id', '=', id)
      .execute();
  });
}
