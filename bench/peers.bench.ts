import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCaddy } from './lib/caddy.ts';
import { type MeasuredLoad, measuredLoad } from './lib/measured-load.ts';
import { startPocketBase } from './lib/pocketbase.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { entryReads, scorePosts } from './lib/score-load.ts';
import { startScoreService } from './lib/score-service.ts';
import { createToken, startService } from './lib/service.ts';
import { MissingTool } from './lib/tools.ts';
import type { LoadOptions } from './lib/wrk.ts';

const players = 100_000;
const rounds = 5;
const seconds = 2;

/** The same work by other programs that people would use. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const missing: string[] = [];
  const rows: Row[] = [];
  for (const beside of [besidePocketBase, besideCaddy]) {
    try {
      rows.push(...(await beside(folder.path)));
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      missing.push(`${beside === besideCaddy ? 'Caddy' : 'PocketBase'}: ${error.message}`);
    }
  }
  return {
    title: 'Beside others',
    method: `One process each on the server's core, on SQLite, with ${players.toLocaleString('en')} players. Ours posts a score durably (synchronous=FULL) and answers the exact rank; PocketBase keeps a record and nothing else, with its own synchronous=NORMAL: what it answered a power cut may take back. The top 20 by score, without a count in both; ours is kept in memory, as everyone gets it. Where a player stands is our read around a player, and there a count of the scores above one. Files: a live space's beside Caddy's file server. wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; medians. CPU time is that of the server's process, user and system.`,
    rows,
    missing,
  };
}

async function besidePocketBase(folder: string): Promise<Row[]> {
  await using theirs = await startPocketBase(folder, players);
  await using ours = await startScoreService(join(folder, 'scores'), players);
  const { slug, service } = ours;
  const host = `localhost:${service.port}`;
  const records = `${theirs.baseUrl}/api/collections`;
  const name = `PocketBase ${theirs.version}`;
  const submissions = { path: '/api/collections/submissions/records', headers: {}, players, fields: '' };
  const body = `string.format('{"player":"p%09d","score":%d}', math.random(0, ${players - 1}), math.random(0, 999999999))`;
  const above = join(folder, 'above.lua');
  await writeFile(
    above,
    `function request()
  return wrk.format('GET', string.format('/api/collections/entries/records?perPage=1&fields=id&filter=score%%3E%d', math.random(0, 999999999)))
end
`,
  );
  const top = '/records?sort=-score&perPage=20&skipTotal=1&fields=player,score';
  const app = `http://127.0.0.1:${service.port}`;
  const ourPid = service.child.pid;
  return [
    ...(await compare('score posts', name, {
      ours: [app, ourPid, await ours.posts(folder, 'ours')],
      theirs: [theirs.baseUrl, theirs.pid, await scorePosts(folder, 'theirs', { ...submissions, body })],
    })),
    ...(await compare('the top 20 of a board', name, {
      ours: [`${app}/api/gallery/${slug}/boards/main/entries?limit=20`, ourPid, { headers: { Host: host } }],
      theirs: [`${records}/entries${top}`, theirs.pid, {}],
    })),
    ...(await compare('where a player stands', name, {
      ours: [app, ourPid, await entryReads(folder, { slug, players, host })],
      theirs: [theirs.baseUrl, theirs.pid, { script: above }],
    })),
  ];
}

async function besideCaddy(folder: string): Promise<Row[]> {
  const files = {
    'index.html': Buffer.from('<!doctype html><title>Bench</title><canvas></canvas>'),
    'small.bin': randomBytes(10_000),
  };
  const root = join(folder, 'root');
  await mkdir(root);
  for (const [path, bytes] of Object.entries(files)) await writeFile(join(root, path), bytes);
  await using theirs = await startCaddy(root, folder);
  const data = join(folder, 'files');
  await using service = await startService(data);
  const live = await publishLive(service.baseUrl, await createToken(data), files);
  const headers = { Host: new URL(live).host };
  const path = '/small.bin';
  // Awaited here, because both servers are ended as soon as this function returns.
  return await compare('a 10 KB file', `Caddy ${theirs.version}`, {
    ours: [`http://127.0.0.1:${service.port}${path}`, service.child.pid, { headers }],
    theirs: [`${theirs.baseUrl}${path}`, theirs.pid, {}],
  });
}

type Asked = readonly [url: string, pid: number | undefined, options: LoadOptions];

async function compare(
  what: string,
  name: string,
  asked: { readonly ours: Asked; readonly theirs: Asked },
): Promise<Row[]> {
  const side = ([url, pid, options]: Asked) => {
    return () => measuredLoad(url, pid, { ...options, seconds });
  };
  const sides = { ours: side(asked.ours), theirs: side(asked.theirs) };
  await interleaved(1, sides);
  const { ours, theirs } = await interleaved(rounds, sides);
  const of = (loads: readonly MeasuredLoad[], field: keyof MeasuredLoad, unit: string) => ({
    value: median(loads.map((load) => load[field])),
    unit,
  });
  return [
    row(
      what,
      of(ours, 'requestsPerSecond', 'requests/s'),
      { name, ...of(theirs, 'requestsPerSecond', 'requests/s') },
      { of: 'ratio', atLeast: 1 },
    ),
    row('… CPU time of a request', of(ours, 'cpuUs', 'µs'), { name, ...of(theirs, 'cpuUs', 'µs') }),
    row('… p99', of(ours, 'p99Ms', 'ms'), { name, ...of(theirs, 'p99Ms', 'ms') }),
  ];
}
