import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurablePostgres, startDurablePostgres } from './lib/durable-postgres.ts';
import { type DatabaseLoad, databaseLoad, medianCpu, medianDatabase } from './lib/measured-load.ts';
import { type Nakama, playerFormat, startNakama } from './lib/nakama.ts';
import { temporaryFolder } from './lib/processes.ts';
import type { BenchResult, Figure, Row } from './lib/result.ts';
import { row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { entryReads, scorePosts } from './lib/score-load.ts';
import { startScoreService } from './lib/score-service.ts';
import { type LoadOptions, medianP99, medianRate } from './lib/wrk.ts';

const players = 100_000;
const rounds = 5;
const seconds = 2;

/** One thing that both do: where each is asked for it, and how many times as many of ours are aimed at. */
interface Beside {
  readonly what: string;
  readonly ours: Asked;
  readonly theirs: Asked;
  readonly atLeast: number;
}

interface Asked {
  readonly path: string;
  readonly load: LoadOptions;
}

/** Boards beside those of Nakama, both on PostgreSQL. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  await using postgres = await startDurablePostgres();
  await using theirs = await startNakama(folder.path, await postgres.createDatabase('nakama'), players);
  const environment = {
    DATABASE_URL: await postgres.createDatabase('ours'),
    RESPONSE_CACHE_BYTES: '0',
  };
  await using ours = await startScoreService(join(folder.path, 'ours'), players, environment);
  const { service, slug } = ours;
  const Host = `localhost:${service.port}`;
  const bearer = { headers: { authorization: `Bearer ${theirs.token}` } };
  const top = { path: `/api/gallery/${slug}/boards/main/entries?limit=20`, load: { headers: { Host } } };
  const theirTop = { path: '/v2/leaderboard/main?limit=20', load: bearer };
  const things: Beside[] = [
    { what: 'the top 20 of a board, not kept', ours: top, theirs: theirTop, atLeast: 2 },
    {
      what: '20 entries around a random player',
      ours: { path: '/', load: await entryReads(folder.path, { slug, players, host: Host, limit: 20 }) },
      theirs: { path: '/', load: await readsAround(folder.path, theirs.token) },
      atLeast: 1.5,
    },
    {
      what: 'score posts of a game’s server',
      ours: { path: '', load: await ours.posts(folder.path, 'ours') },
      theirs: { path: '', load: await postsOf(folder.path, theirs) },
      atLeast: 2,
    },
  ];
  const rows: Row[] = [];
  for (const thing of things) rows.push(...(await compare(thing, { service, theirs, postgres })));
  return {
    title: 'Beside Nakama',
    method: `Nakama ${theirs.version} and our service, one process each on the server's core with one PostgreSQL (fsync on), a board of ${players.toLocaleString('en')} players in each. Its reads are those of its API, with a session; its post is a function of its runtime, written in Lua, which a game's server calls with the HTTP key: both posts are durable when they are answered, with the exact rank. Ours keeps no answers here (RESPONSE_CACHE_BYTES=0). wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; medians. CPU time is user and system time of the server's process; PostgreSQL's is told beside it.`,
    rows,
  };
}

async function readsAround(folder: string, token: string): Promise<LoadOptions> {
  const script = join(folder, 'around.lua');
  await writeFile(
    script,
    `
local headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }
function init()
  math.randomseed(os.time())
end
function request()
  local path = string.format('/v2/leaderboard/main/owner/${playerFormat}?limit=20', math.random(0, ${players - 1}))
  return wrk.format('GET', path, headers)
end
`,
  );
  return { script };
}

function postsOf(folder: string, { postPath: path }: Nakama): Promise<LoadOptions> {
  const body = `string.format('{"player":"${playerFormat}","score":%d}', math.random(0, ${players - 1}), math.random(0, 999999999))`;
  return scorePosts(folder, 'theirs', { path, headers: {}, players, fields: '', body });
}

interface Servers {
  readonly service: Awaited<ReturnType<typeof startScoreService>>['service'];
  readonly theirs: Nakama;
  readonly postgres: DurablePostgres;
}

async function compare(
  { what, ours, theirs, atLeast }: Beside,
  { service, theirs: nakama, postgres }: Servers,
): Promise<Row[]> {
  const side = (baseUrl: string, pid: number | undefined, { path, load }: Asked) => {
    return () => databaseLoad(postgres, `${baseUrl}${path}`, pid, { ...load, seconds });
  };
  const sides = {
    ours: side(`http://127.0.0.1:${service.port}`, service.child.pid, ours),
    theirs: side(nakama.baseUrl, nakama.pid, theirs),
  };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const beside = (of: (loads: readonly DatabaseLoad[]) => Figure) =>
    [of(results.ours), { name: `Nakama ${nakama.version}`, ...of(results.theirs) }] as const;
  return [
    row(what, ...beside(medianRate), { of: 'ratio', atLeast }),
    row('… CPU time of a request', ...beside(medianCpu)),
    row('… CPU time of PostgreSQL', ...beside(medianDatabase)),
    row('… p99', ...beside(medianP99)),
  ];
}
