import { join } from 'node:path';
import { type Comparison, compareLoads } from './lib/compare-loads.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { type Nakama, playerFormat, startNakama } from './lib/nakama.ts';
import { temporaryFolder } from './lib/processes.ts';
import type { BenchResult, Row } from './lib/result.ts';
import { entryReads, scorePosts } from './lib/score-load.ts';
import { startScoreService } from './lib/score-service.ts';
import type { LoadOptions } from './lib/wrk.ts';
import { randomReads } from './lib/wrk-script.ts';

const players = 100_000;
const rounds = 5;
const seconds = 2;

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
  const app = { url: `http://127.0.0.1:${service.port}`, pid: service.child.pid, postgres };
  const nakama = { name: `Nakama ${theirs.version}`, url: theirs.baseUrl, pid: theirs.pid, postgres };
  const top = `${app.url}/api/gallery/${slug}/boards/main/entries?limit=20`;
  const theirTop = `${nakama.url}/v2/leaderboard/main?limit=20`;
  const reads = await entryReads(folder.path, { slug, players, host: Host, limit: 20 });
  const theirReads = await randomReads(folder.path, 'around', {
    path: `/v2/leaderboard/main/owner/${playerFormat}?limit=20`,
    below: players,
    ...bearer,
  });
  const things: Comparison[] = [
    {
      what: 'the top 20 of a board, not kept',
      ours: { ...app, url: top, options: { headers: { Host } } },
      theirs: { ...nakama, url: theirTop, options: bearer },
      aim: { of: 'ratio', atLeast: 2 },
    },
    {
      what: '20 entries around a random player',
      ours: { ...app, options: reads },
      theirs: { ...nakama, options: theirReads },
      aim: { of: 'ratio', atLeast: 1.5 },
    },
    {
      what: 'score posts of a game’s server',
      ours: { ...app, options: await ours.posts(folder.path, 'ours') },
      theirs: { ...nakama, options: await postsOf(folder.path, theirs) },
      aim: { of: 'ratio', atLeast: 2 },
    },
  ];
  const rows: Row[] = [];
  for (const thing of things) rows.push(...(await compareLoads(thing, { rounds, seconds })));
  return {
    title: 'Beside Nakama',
    method: `Nakama ${theirs.version} and our service, one process each on the server's core with one PostgreSQL (fsync on), a board of ${players.toLocaleString('en')} players in each. Its reads are those of its API, with a session; its post is a function of its runtime, written in Lua, which a game's server calls with the HTTP key: both posts are durable when they are answered, with the exact rank. Ours keeps no answers here (RESPONSE_CACHE_BYTES=0), but reads that come in the same turn of the event loop share a statement, and equal ones are one: all connections ask for the same top 20, so most of its figure is that. wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; medians. CPU time is user and system time of the server's process; PostgreSQL's is told beside it.`,
    rows,
  };
}

function postsOf(folder: string, { postPath: path }: Nakama): Promise<LoadOptions> {
  const body = `string.format('{"player":"${playerFormat}","score":%d}', math.random(0, ${players - 1}), math.random(0, 999999999))`;
  return scorePosts(folder, 'theirs', { path, headers: {}, players, fields: '', body });
}
