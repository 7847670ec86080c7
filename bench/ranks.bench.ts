import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findPlaces } from '../packages/server/src/boards/entries.queries.ts';
import { locate, ranksOf } from '../packages/server/src/boards/segments.queries.ts';
import type { PlayerId } from '../packages/server/src/platform/db/ids.ts';
import type { Tx } from '../packages/server/src/platform/db/tx.ts';
import { playerHandle, playerId, seedBoard, seedEntries, seedPlayers, seedSpace } from './lib/board-data.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder, timed } from './lib/processes.ts';
import { startRedis } from './lib/redis.ts';
import { type BenchResult, type Figure, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { entryReads } from './lib/score-load.ts';
import { createToken, startService } from './lib/service.ts';
import { findTool } from './lib/tools.ts';
import { load } from './lib/wrk.ts';

const sizes = [10_000, 1_000_000, 10_000_000];
/**
 * A board of lives, stars or percents has few different scores, so most ranks depend on the time of the
 * score.
 */
const tied = { entries: 1_000_000, scores: 10 };
/** Number of players, at random places of the ranking, whose rank is read. */
const asked = 10_000;
const ranksTimed = 4_000;
const rounds = 3;
const seconds = 2;
const redisReads = 60_000;
/** Longest time for which `COUNT(*)` is measured. */
const countMs = 5_000;

/** The rank of a random player, in boards of three sizes. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows: Row[] = [];
  const costs: Figure[] = [];
  for (const entries of sizes) {
    const measured = await measure(join(folder.path, String(entries)), entries);
    rows.push(...measured.rows);
    costs.push(measured.cost);
  }
  rows.push(await measureTied(join(folder.path, 'tied')));
  const [first] = costs;
  const last = costs.at(-1);
  if (first && last)
    rows.push(
      row(
        'a rank among 10,000,000, beside one among 10,000',
        last,
        { name: 'the smallest', ...first },
        { of: 'ratio', atMost: 10 },
      ),
    );
  return {
    title: 'Reading a rank',
    method: `The rank of a random player out of ${asked.toLocaleString('en')}, in SQLite. First without HTTP: the entry is found and its rank computed, by the very functions that a post of a score calls, one player after the other, the mean of ${ranksTimed.toLocaleString('en')}; beside COUNT(*) of the entries above on the same table and index, the median of as many as ${countMs / 1000} s have. Then over HTTP, the board's entries around the player with handle, time and total, with wrk; beside Redis ZREVRANK of as many members (redis-benchmark): 64 connections, ${rounds} rounds in turns, the median of the rounds.`,
    rows,
    missing: hasRedis ? [] : ['Redis is not installed; on Debian and Ubuntu: apt-get install redis'],
  };
}

const hasRedis = ['redis-server', 'redis-cli', 'redis-benchmark'].every((tool) => findTool(tool) !== null);

async function measure(folder: string, entries: number): Promise<{ rows: Row[]; cost: Figure }> {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  await createToken(data);
  const { slug, ours, count } = await withoutHttp(data, entries);
  const size = entries.toLocaleString('en');
  const rows = [row(`a rank among ${size}`, ours, { name: 'COUNT(*)', ...count })];

  await using service = await startService(data, { role: 'serve' });
  await using redis = hasRedis ? await startRedis(folder, { durable: false }) : null;
  if (redis) await fillRedis(redis, entries);
  const reads = await entryReads(folder, { slug, players: asked, host: `localhost:${service.port}` });
  const sides = {
    ours: async () =>
      (await load(`http://127.0.0.1:${service.port}`, { ...reads, seconds })).requestsPerSecond,
    redis: async () =>
      (await redis?.rate(redisReads, asked, 'zrevrank', 'main', 'p__rand_int__')) ?? Number.NaN,
  };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const zrevrank = { name: 'Redis ZREVRANK', value: median(results.redis), unit: 'commands/s' };
  rows.push(row('… over HTTP', { value: median(results.ours), unit: 'requests/s' }, redis && zrevrank));
  return { rows, cost: ours };
}

async function measureTied(data: string): Promise<Row> {
  await mkdir(data);
  await createToken(data);
  const { ours, count } = await withoutHttp(data, tied.entries, tied.scores);
  const what = `a rank among ${tied.entries.toLocaleString('en')} with ${tied.scores} different scores`;
  return row(what, ours, { name: 'COUNT(*)', ...count });
}

/** Fills a board, and measures its ranks in this process. */
async function withoutHttp(
  dataFolder: string,
  entries: number,
  scores?: number,
): Promise<{ slug: string; ours: Figure; count: Figure }> {
  await using data = await openData(dataFolder);
  const { platform } = data;
  const { spaceId, slug } = await seedSpace(platform, 'bench');
  const board = await seedBoard(platform, spaceId, 'main');
  const rankingId = await seedEntries(platform, board, entries, scores);
  // The players that are read over HTTP need accounts, which a page of entries shows.
  await seedPlayers(
    platform,
    Array.from({ length: asked }, (_, number) => number),
  );
  await sql`
    insert into submissions (id, board_id, player_id, score, created_at)
    select submission_id, ${board}, player_id, -sort_key, ${platform.clock.now()}
    from entries where ranking_id = ${rankingId} and player_id < ${playerId(asked)}`.execute(
    platform.database.db,
  );
  // Awaited here, because the data is closed when this function returns.
  return await platform.database.transaction(async (tx) => {
    await requireRight(tx, rankingId);
    const ranksMs = await timed(async () => {
      for (let done = 0; done < ranksTimed; done += 1) await rankOfRandom(tx, rankingId);
    });
    const counts: number[] = [];
    const deadline = performance.now() + countMs;
    while (counts.length < ranksTimed && performance.now() < deadline)
      counts.push(await timed(() => countAbove(tx, rankingId, randomPlayer())));
    const us = (ms: number) => ({ value: ms * 1000, unit: 'µs' });
    return { slug, ours: us(ranksMs / ranksTimed), count: us(median(counts)) };
  });
}

const randomPlayer = (): PlayerId => playerId(Math.floor(Math.random() * asked));

async function rankOfRandom(tx: Tx, rankingId: number): Promise<number | undefined> {
  return rankOfPlayer(tx, rankingId, randomPlayer());
}

/** Computes a rank as a post does. */
async function rankOfPlayer(tx: Tx, rankingId: number, player: PlayerId): Promise<number | undefined> {
  const places = await findPlaces(tx, [{ rankingId, playerId: player }]);
  const located = await locate(
    tx,
    places.flatMap((place) => (place === null ? [] : { rankingId, ...place })),
  );
  const [rank] = await ranksOf(tx, located);
  return rank;
}

async function countAbove(tx: Tx, rankingId: number, player: string): Promise<number | undefined> {
  const { rows } = await sql<{ rank: number }>`
    select count(*) as rank from entries, (
      select sort_key as own_key, submission_id as own_id from entries
      where ranking_id = ${rankingId} and player_id = ${player}) as own
    where ranking_id = ${rankingId} and (sort_key, submission_id) <= (own_key, own_id)`.execute(tx.db);
  return rows[0]?.rank;
}

/** Asserts that both measured queries give the same rank. */
async function requireRight(tx: Tx, rankingId: number): Promise<void> {
  for (const number of [0, 1, 2, asked - 1]) {
    const [rank, count] = [
      await rankOfPlayer(tx, rankingId, playerId(number)),
      await countAbove(tx, rankingId, playerId(number)),
    ];
    if (rank === undefined || rank !== count)
      throw new Error(`the rank of ${playerHandle(number)} is ${rank}, and ${count} entries are up to it`);
  }
}

/** Adds members with the names that redis-benchmark makes from numbers. */
async function fillRedis(
  redis: { command(...args: string[]): Promise<string> },
  entries: number,
): Promise<void> {
  const script = `for n = tonumber(ARGV[1]), tonumber(ARGV[2]) do
    redis.call('zadd', KEYS[1], math.random(0, 999999999), string.format('p%012d', n)) end`;
  const slice = 100_000;
  for (let first = 0; first < entries; first += slice)
    await redis.command(
      'eval',
      script,
      '1',
      'main',
      String(first),
      String(Math.min(entries, first + slice) - 1),
    );
}
