import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawRequest } from '../packages/server/test/raw-http.ts';
import { startNginx } from './lib/nginx.ts';
import { temporaryFolder } from './lib/processes.ts';
import { publishLive } from './lib/publish-files.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { createToken, startService } from './lib/service.ts';
import { type LoadOptions, load, medianP99, medianRate } from './lib/wrk.ts';

const rounds = 10;
const seconds = 2;

/** A live space's files, beside nginx with the same bytes. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const files = {
    'index.html': Buffer.from('<!doctype html><title>Bench</title><canvas></canvas>'),
    'small.bin': randomBytes(10_000),
    'large.bin': randomBytes(1_000_000),
  };
  const root = join(folder.path, 'root');
  await mkdir(root);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes);
  await using nginx = await startNginx(root, folder.path);

  const data = join(folder.path, 'data');
  await using service = await startService(data);
  const live = await publishLive(service.baseUrl, await createToken(data), files);
  const ours = { baseUrl: `http://127.0.0.1:${service.port}`, host: new URL(live).host };
  const theirs = { baseUrl: nginx.baseUrl, host: new URL(nginx.baseUrl).host };

  const rows: Row[] = [];
  for (const { what, path, options, ifHeld } of [
    { what: 'a 10 KB file', path: '/small.bin', options: {}, ifHeld: false },
    { what: 'a 1 MB file', path: '/large.bin', options: { connections: 16 }, ifHeld: false },
    { what: 'a 10 KB file that the browser holds (304)', path: '/small.bin', options: {}, ifHeld: true },
  ]) {
    rows.push(...(await compare(what, ours, theirs, path, options, ifHeld)));
  }
  return {
    title: 'Hosted files',
    method: `A live space's files from the whole service, one process, against nginx (one worker, sendfile, open_file_cache, no log) with the same bytes. wrk, 64 connections (16 for 1 MB), ${seconds} s each, ${rounds} rounds in turns; the median of the rounds.`,
    rows,
  };
}

interface Site {
  readonly baseUrl: string;
  readonly host: string;
}

async function compare(
  what: string,
  ours: Site,
  theirs: Site,
  path: string,
  options: LoadOptions,
  ifHeld: boolean,
): Promise<Row[]> {
  const request = async (site: Site) => {
    const headers: Record<string, string> = { Host: site.host };
    if (ifHeld) headers['if-none-match'] = await etagOf(site, path);
    return () => load(site.baseUrl + path, { ...options, headers, seconds });
  };
  const sides = { ours: await request(ours), nginx: await request(theirs) };
  // The first answers fill caches and compile code.
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const name = 'nginx';
  const { ours: own, nginx } = results;
  return [
    row(what, medianRate(own), { name, ...medianRate(nginx) }, { of: 'ratio', atLeast: 0.55 }),
    row('… p99', medianP99(own), { name, ...medianP99(nginx) }, { of: 'ratio', atMost: 3 }),
  ];
}

async function etagOf(site: Site, path: string): Promise<string> {
  const { headers } = await rawRequest(Number(new URL(site.baseUrl).port), `http://${site.host}${path}`);
  if (headers.etag === undefined) throw new Error(`${path} has no ETag`);
  return headers.etag;
}
