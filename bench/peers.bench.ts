import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCaddy } from './lib/caddy.ts';
import { type Comparison, compareLoads, type ServerLoad } from './lib/compare-loads.ts';
import { startPocketBase } from './lib/pocketbase.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import type { BenchResult, Row } from './lib/result.ts';
import { entryReads, scorePosts } from './lib/score-load.ts';
import { startScoreService } from './lib/score-service.ts';
import { createToken, startService } from './lib/service.ts';
import { MissingTool } from './lib/tools.ts';
import { randomReads } from './lib/wrk-script.ts';

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
  const submissions = { path: '/api/collections/submissions/records', headers: {}, players, fields: '' };
  const body = `string.format('{"player":"p%09d","score":%d}', math.random(0, ${players - 1}), math.random(0, 999999999))`;
  const above = {
    path: '/api/collections/entries/records?perPage=1&fields=id&filter=score%%3E%d',
    below: 1_000_000_000,
  };
  const top = '/records?sort=-score&perPage=20&skipTotal=1&fields=player,score';
  const app = { url: `http://127.0.0.1:${service.port}`, pid: service.child.pid };
  const pocketBase = { name: `PocketBase ${theirs.version}`, url: theirs.baseUrl, pid: theirs.pid };
  const ourTop = `${app.url}/api/gallery/${slug}/boards/main/entries?limit=20`;
  return [
    ...(await compare(
      'score posts',
      { ...app, options: await ours.posts(folder, 'ours') },
      { ...pocketBase, options: await scorePosts(folder, 'theirs', { ...submissions, body }) },
    )),
    ...(await compare(
      'the top 20 of a board',
      { ...app, url: ourTop, options: { headers: { Host: host } } },
      { ...pocketBase, url: `${records}/entries${top}` },
    )),
    ...(await compare(
      'where a player stands',
      { ...app, options: await entryReads(folder, { slug, players, host }) },
      { ...pocketBase, options: await randomReads(folder, 'above', above) },
    )),
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
  return await compare(
    'a 10 KB file',
    { url: `http://127.0.0.1:${service.port}${path}`, pid: service.child.pid, options: { headers } },
    { name: `Caddy ${theirs.version}`, url: `${theirs.baseUrl}${path}`, pid: theirs.pid },
  );
}

function compare(what: string, ours: ServerLoad, theirs: Comparison['theirs']): Promise<Row[]> {
  return compareLoads({ what, ours, theirs, aim: { of: 'ratio', atLeast: 1 } }, { rounds, seconds });
}
