import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bareScores } from './lib/bare-scores.ts';
import { startDurablePostgres, withClient } from './lib/durable-postgres.ts';
import { measuredLoad, medianCpu } from './lib/measured-load.ts';
import { forgetPeak, memoryOf } from './lib/memory.ts';
import { startParseServer } from './lib/parse-server.ts';
import { settle, temporaryFolder } from './lib/processes.ts';
import { startRedis } from './lib/redis.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median, told } from './lib/rounds.ts';
import { scorePosts } from './lib/score-load.ts';
import { type ScoreService, startScoreService } from './lib/score-service.ts';
import { findTool } from './lib/tools.ts';
import { type Load, type LoadOptions, load, medianP99, medianRate } from './lib/wrk.ts';

const rounds = 5;
const warmUps = 3;
const seconds = 3;
const players = 100_000;
const batchSize = 100;
const redisPosts = 60_000;
const idleSeconds = 5;

/** Scores posted with the board secret, each durable before its answer, which has the exact rank. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  return {
    title: 'Posting scores',
    method: `POST of scores of random players with random scores, to a board with an entry of each of ${players.toLocaleString('en')} players, from 64 connections with wrk: durable when it is answered, with the exact rank in the answer. Redis does a ZADD with appendfsync always (redis-benchmark, 64 connections), which tells no rank. What only writes the rows is a process with node:sqlite and the same tables and indexes: the submission and the player's entry, 64 in a transaction, as durably; no HTTP, no ranks. Parse Server runs a cloud function that keeps the submission and the player's best and counts who is above, on PostgreSQL with an index for it; and beside that, it only saves the submission. Whatever serves, PostgreSQL too, is on the server's core. ${seconds} s each, ${rounds} rounds in turns after ${warmUps} to warm up; nothing waits to be written when one begins; the median of the rounds. On PostgreSQL both databases are vacuumed first, as autovacuum would do in the middle of a round. CPU time is user and system time of the server's process; memory its resident memory, ${idleSeconds} s after the start and during the posts.`,
    ...(await measure(folder.path)),
  };
}

type Measured = Pick<BenchResult, 'rows' | 'missing'>;

async function measure(folder: string): Promise<Measured> {
  told(`seeding a board of ${players} players, SQLite`);
  await using onSqlite = await startScoreService(join(folder, 'sqlite'), players);
  const embedded = await measureSqlite(folder, onSqlite);
  const missing = [...(embedded.missing ?? [])];
  try {
    const scaledOut = await measurePostgres(folder);
    return {
      rows: [...embedded.rows, ...scaledOut.rows],
      missing: [...missing, ...(scaledOut.missing ?? [])],
    };
  } catch (error) {
    return { rows: embedded.rows, missing: [...missing, `PostgreSQL: ${messageOf(error)}`] };
  }
}

/** One at a time and in batches, on SQLite, beside Redis. */
async function measureSqlite(folder: string, { service, posts }: ScoreService): Promise<Measured> {
  const pid = service.child.pid ?? 0;
  const hasProc = existsSync('/proc/self/status');
  const hasRedis = ['redis-server', 'redis-cli', 'redis-benchmark'].every((tool) => findTool(tool) !== null);
  await pause(idleSeconds * 1000);
  const idleMB = hasProc ? memoryOf(pid).nowMB : 0;
  if (hasProc) forgetPeak(pid);

  await using redis = hasRedis ? await startRedis(folder, { durable: true }) : null;
  const [single, batch] = [await posts(folder, 'single'), await posts(folder, 'batch', batchOf(batchSize))];
  const sides = settledBefore(folder, {
    single: () => measured(service.port, single, hasProc ? pid : undefined),
    bare: () => bareScores(join(folder, 'bare.sqlite'), players, seconds),
    redis: async () =>
      (await redis?.rate(redisPosts, players, 'zadd', 'main', '__rand_int__', 'p__rand_int__')) ?? Number.NaN,
  });
  // The first seconds compile code and fill caches.
  await interleaved(warmUps, sides);
  const results = await interleaved(rounds, sides);
  // Measured separately: the next single posts would pay for the checkpoints of the batches.
  const batched = await interleaved(
    rounds,
    settledBefore(folder, { batch: () => measured(service.port, batch, undefined) }),
  );
  const rate = medianRate(results.single, 'posts/s');
  const zadd = { name: 'Redis ZADD', value: median(results.redis), unit: 'commands/s' };
  const bare = {
    name: 'node:sqlite, the same rows',
    value: median(results.bare.map(({ postsPerSecond }) => postsPerSecond)),
    unit: 'posts/s',
  };
  const batches = { value: medianRate(batched.batch).value * batchSize, unit: 'scores/s' };
  const mb = (value: number) => ({ value, unit: 'MB' });
  const idle = { name: 'idle', ...mb(idleMB) };
  const rows: Row[] = [
    row('score posts, SQLite', rate, redis && zadd, { of: 'ours', atLeast: 12_000 }),
    row('… beside what only writes the rows', rate, bare),
    row('… p99', medianP99(results.single), null, { of: 'ours', atMost: 25 }),
    row(
      `… ${batchSize} in a call`,
      batches,
      { name: 'one in a call', ...rate },
      { of: 'ours', atLeast: 40_000 },
    ),
  ];
  if (hasProc) {
    rows.push(
      row('… CPU time of a post', medianCpu(results.single), { name: bare.name, ...medianCpu(results.bare) }),
    );
    rows.push(row('… memory at most', mb(memoryOf(pid).peakMB), idle));
  }
  return {
    rows,
    missing: hasRedis ? [] : ['Redis is not installed; on Debian and Ubuntu: apt-get install redis'],
  };
}

/** Measures on PostgreSQL, beside Parse Server. */
async function measurePostgres(folder: string): Promise<Measured> {
  told(`seeding a board of ${players} players, PostgreSQL`);
  await using postgres = await startDurablePostgres();
  const databases = {
    ours: await postgres.createDatabase('ours'),
    parse: await postgres.createDatabase('parse'),
  };
  const environment = { DATABASE_URL: databases.ours };
  await using ours = await startScoreService(join(folder, 'postgres'), players, environment);
  const single = await ours.posts(folder, 'on-postgres');
  const own = settledBefore(folder, { ours: () => measured(ours.service.port, single, undefined) });
  const rateRow = (loads: readonly Load[], reference: Parameters<typeof row>[2] = null) =>
    row('score posts, PostgreSQL', medianRate(loads, 'posts/s'), reference, { of: 'ours', atLeast: 4_500 });
  let parse: Awaited<ReturnType<typeof startParseServer>>;
  told('installing and seeding Parse Server');
  try {
    parse = await startParseServer(folder, databases.parse, players);
  } catch (error) {
    await withClient(databases.ours, (client) => client.query('vacuum analyze'));
    await interleaved(warmUps, own);
    const { ours: loads } = await interleaved(rounds, own);
    return { rows: [rateRow(loads)], missing: [`Parse Server: ${messageOf(error)}`] };
  }
  await using _parse = parse;
  const { baseUrl, headers } = parse;
  const post = { headers, players, fields: '"board":"main"' };
  const same = await scorePosts(folder, 'same', { ...post, path: '/parse/functions/postScore' });
  const saved = await scorePosts(folder, 'saved', { ...post, path: '/parse/classes/Submission' });
  const sides = {
    ...own,
    ...settledBefore(folder, {
      same: () => load(baseUrl, { ...same, seconds }),
      saved: () => load(baseUrl, { ...saved, seconds }),
    }),
  };
  for (const database of Object.values(databases))
    await withClient(database, (client) => client.query('vacuum analyze'));
  await interleaved(warmUps, sides);
  const results = await interleaved(rounds, sides);
  const reference = (name: string, loads: readonly Load[]) => ({
    name,
    ...medianRate(loads, 'posts/s'),
  });
  const mb = (pid: number) => ({ value: memoryOf(pid).nowMB, unit: 'MB' });
  const hasProc = existsSync('/proc/self/status');
  return {
    rows: [
      rateRow(results.ours, reference('Parse Server, the same job', results.same)),
      row(
        '… beside what only saves',
        medianRate(results.ours, 'posts/s'),
        reference('Parse Server, only saving', results.saved),
      ),
      ...(hasProc
        ? [
            row('… memory after the posts', mb(ours.service.child.pid ?? 0), {
              name: 'Parse Server',
              ...mb(parse.pid),
            }),
          ]
        : []),
    ],
  };
}

/** Has each side wait first until nothing is left to be written. */
function settledBefore<Sides extends Record<string, () => Promise<unknown>>>(
  folder: string,
  sides: Sides,
): Sides {
  const settled = Object.entries(sides).map(([name, side]) => [
    name,
    async () => {
      await settle(folder);
      return side();
    },
  ]);
  // The same names and results.
  return Object.fromEntries(settled) as Sides;
}

const measured = (port: number, posts: LoadOptions, pid: number | undefined) =>
  measuredLoad(`http://127.0.0.1:${port}`, pid, { ...posts, seconds });

/** Returns the Lua expression of a batch for `scorePosts`. */
function batchOf(size: number): string {
  return `(function() local all = {} for n = 1, ${size} do all[n] = post() end return '{"scores":[' .. table.concat(all, ',') .. ']}' end)()`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
