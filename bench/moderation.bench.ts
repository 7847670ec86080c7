import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@spaceport/client/client';
import type { Platform } from '../packages/server/src/platform/context.ts';
import {
  playerHandle,
  playerId,
  rankAnew,
  seedBoard,
  seedPlayers,
  seedSpace,
  seedSubmissions,
} from './lib/board-data.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder, timed } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';

const sizes = { small: 1_000, large: 1_000_000 };
const rounds = 100;

/** A creator's actions against a cheat, on a board of a million entries and on one of a thousand. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await mkdir(data);
  const token = await createToken(data);
  const boards = await seed(data);
  await using service = await startService(data, { role: 'serve' });
  // Waits until the database has checkpointed the seeded rows.
  await pause(2_000);
  const client = createClient({ baseUrl: service.baseUrl, token });
  const acts = (board: SeededBoard) => {
    const params = { slug: board.slug };
    let next = 0;
    return async () => {
      const player = next++;
      const body = { handle: playerHandle(player) };
      const id = board.submissions[player];
      if (id === undefined) throw new Error('more rounds than players');
      return {
        remove: await timed(() => client.deleteSubmission({ params: { ...params, id } })),
        ban: await timed(() => client.banPlayer({ params, body })),
        lift: await timed(() => client.liftBan({ params, body })),
      };
    };
  };
  const sides = { large: acts(boards.large), small: acts(boards.small) };
  await interleaved(10, sides);
  const results = await interleaved(rounds, sides);
  const name = `in a board of ${sizes.small.toLocaleString('en')}`;
  const compared = (what: string, act: 'remove' | 'ban' | 'lift') => {
    const [large, small] = [results.large, results.small].map((times) => ({
      value: median(times.map((time) => time[act])),
      unit: 'ms',
    }));
    if (!large || !small) throw new Error('not measured');
    return row(what, large, { name, ...small });
  };
  return {
    title: 'Moderation',
    method: `Over HTTP with a token, one call after the other, on SQLite, in a board of ${sizes.large.toLocaleString('en')} entries and in one of ${sizes.small.toLocaleString('en')}: the best of a player's two submissions is deleted, and the player ranked by the other; the player is banned, and out of every ranking; the ban is lifted, and the entry back. Each is durable, and every rank exact, when it is answered. ${rounds} players in turns, the median.`,
    rows: [
      compared('a submission is deleted, its player re-ranked', 'remove'),
      compared('a player is banned', 'ban'),
      compared('a ban is lifted', 'lift'),
    ],
  };
}

interface SeededBoard {
  readonly slug: string;
  /** The best submission of each of the first players. */
  readonly submissions: readonly number[];
}

async function seed(dataFolder: string): Promise<Record<keyof typeof sizes, SeededBoard>> {
  await using data = await openData(dataFolder);
  const acted = Array.from({ length: sizes.small }, (_, number) => number);
  await seedPlayers(data.platform, acted);
  return {
    small: await seedOne(data.platform, sizes.small),
    large: await seedOne(data.platform, sizes.large),
  };
}

/** A board in a space of its own, with two submissions of each of the first players. */
async function seedOne(platform: Platform, entries: number): Promise<SeededBoard> {
  const { spaceId, slug } = await seedSpace(platform, 'bench');
  const board = await seedBoard(platform, spaceId, 'main');
  await seedSubmissions(platform, board, entries);
  await seedSubmissions(platform, board, sizes.small);
  await rankAnew(platform, board);
  const rows = await platform.database.db
    .selectFrom('entries as entry')
    .innerJoin('rankings as ranking', 'ranking.id', 'entry.ranking_id')
    .select('entry.submission_id')
    .where('ranking.board_id', '=', board)
    .where('entry.player_id', '<', playerId(sizes.small))
    .orderBy('entry.player_id')
    .execute();
  return { slug, submissions: rows.map(({ submission_id }) => submission_id) };
}
