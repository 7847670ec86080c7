import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from '../packages/server/test/raw-http.ts';
import { startBareHttp } from './lib/bare-http.ts';
import { compareLoads } from './lib/compare-loads.ts';
import { temporaryFolder } from './lib/processes.ts';
import { seedReads } from './lib/read-data.ts';
import type { BenchResult, Row } from './lib/result.ts';
import { startService } from './lib/service.ts';

const rounds = 5;
const seconds = 1;
const spaces = 1_000;
const players = 20_000;

/** Public reads, beside `node:http` with the same bytes from memory. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const slug = await seedReads(data, { spaces, players }, {});
  await using service = await startService(data, { role: 'serve' });
  const rows: Row[] = [];
  for (const [what, path, accepts] of [
    ['the gallery', '/api/gallery', 'identity'],
    ['a space', `/api/gallery/${slug}`, 'identity'],
    ['the top 20 of a board', `/api/gallery/${slug}/boards/main/entries?limit=20`, 'identity'],
    ['a creator’s page', '/@bench', 'br'],
    ['a space’s page', `/s/${slug}`, 'br'],
    ['the front page', '/', 'br'],
  ] as const)
    rows.push(...(await compare(what, folder.path, service, { path, accepts })));
  return {
    title: 'What anyone reads',
    method: `GET without a session, from the whole service with its log, on SQLite with ${spaces.toLocaleString('en')} spaces and a board of ${players.toLocaleString('en')} players, against bare node:http with the same bytes; pages as browsers take them (br). wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds. CPU time is that of the server's process, user and system.`,
    rows,
  };
}

async function compare(
  what: string,
  folder: string,
  { port, child }: Awaited<ReturnType<typeof startService>>,
  { path, accepts }: { readonly path: string; readonly accepts: string },
): Promise<Row[]> {
  const headers = { Host: `localhost:${port}`, 'accept-encoding': accepts };
  const { status, body } = await rawRequest(port, `http://localhost:${port}${path}`, { headers });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  const bodyFile = join(folder, 'body');
  await writeFile(bodyFile, body);
  await using bare = await startBareHttp(bodyFile);
  return await compareLoads(
    {
      what,
      ours: { url: `http://127.0.0.1:${port}${path}`, pid: child.pid, options: { headers } },
      theirs: { name: 'bare node:http', url: `${bare.baseUrl}${path}`, pid: bare.pid, options: { headers } },
      aim: { of: 'ratio', atLeast: 0.5 },
    },
    { rounds, seconds },
  );
}
