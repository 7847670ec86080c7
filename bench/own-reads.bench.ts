import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBareHttp } from './lib/bare-http.ts';
import { compareLoads } from './lib/compare-loads.ts';
import { type DurablePostgres, startDurablePostgres } from './lib/durable-postgres.ts';
import { signInPlayers } from './lib/play-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { seedReads } from './lib/read-data.ts';
import type { Aim, BenchResult, Row } from './lib/result.ts';
import { entryReads } from './lib/score-load.ts';
import { startService } from './lib/service.ts';
import type { LoadOptions } from './lib/wrk.ts';

const rounds = 5;
const seconds = 1;
const players = 20_000;

type Postgres = DurablePostgres | null;
interface Read {
  readonly what: string;
  readonly path: string;
  readonly load: LoadOptions;
  readonly aim: Aim | null;
}

/** Reads that are made for each who asks, against `node:http` that answers the same bytes. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows = await measure(join(folder.path, 'sqlite'), 'SQLite', null);
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    rows.push(...(await measure(join(folder.path, 'postgres'), 'PostgreSQL', postgres)));
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Reads that differ for everyone',
    method: `GET from the whole service with its log, which keeps no answers here (RESPONSE_CACHE_BYTES=0; on PostgreSQL, equal pages that are asked for in the same turn of the event loop are read once), with a board of ${players.toLocaleString('en')} players: its top 20, 20 entries around a random player, the same page around whoever is signed in as the page of a space asks for it, and all that an account has played. Against bare node:http with the same bytes. wrk, 64 connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds. CPU time is user and system time of the service's process; PostgreSQL's, which is on the same core, is told beside it.`,
    rows,
    ...(missing.length > 0 && { missing }),
  };
}

async function measure(folder: string, engine: string, postgres: Postgres): Promise<Row[]> {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  const environment: Record<string, string> = postgres
    ? { DATABASE_URL: await postgres.createDatabase('reads') }
    : {};
  const slug = await seedReads(data, { spaces: 10, players }, environment);
  await using service = await startService(data, {
    role: 'serve',
    environment: { ...environment, RESPONSE_CACHE_BYTES: '0' },
  });
  const { port, baseUrl: origin } = service;
  const Host = `localhost:${port}`;
  const [cookie = ''] = await signInPlayers(data, environment, { count: 1, origin });
  const board = `/api/gallery/${slug}/boards/main/entries?limit=20`;
  const own = `/api/player/scores?space=${slug}&board=main&around=me&limit=20`;
  const random = await entryReads(folder, { slug, players, host: Host, limit: 20 });
  // PostgreSQL is another process on the same core: beside node:http it is told, and no aim.
  const aim: Aim | null = postgres ? null : { of: 'ratio', atLeast: 0.15 };
  const rows: Row[] = [];
  for (const read of [
    { what: 'the top 20 of a board, not kept', path: board, load: { headers: { Host } }, aim },
    { what: 'around a random player', path: `${board}&around=p000000001`, load: random, aim },
    { what: 'around oneself', path: own, load: { headers: { Host, cookie } }, aim },
    {
      what: 'all that one has played',
      path: '/api/player/me',
      load: { headers: { Host, cookie } },
      aim: null,
    },
  ])
    rows.push(...(await compare(folder, engine, { service, postgres, cookie }, read)));
  return rows;
}

interface Sides {
  readonly service: Awaited<ReturnType<typeof startService>>;
  readonly postgres: Postgres;
  readonly cookie: string;
}

async function compare(
  folder: string,
  engine: string,
  { service, postgres, cookie }: Sides,
  { what, path, load, aim }: Read,
): Promise<Row[]> {
  const answer = await fetch(`${service.baseUrl}${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  const body = join(folder, 'answer.json');
  await writeFile(body, await answer.text());
  await using bare = await startBareHttp(body);
  const target = `http://127.0.0.1:${service.port}${load.script === undefined ? path : '/'}`;
  return await compareLoads(
    {
      what: `${what}, ${engine}`,
      ours: { url: target, pid: service.child.pid, options: load, postgres },
      theirs: { name: 'bare node:http', url: `${bare.baseUrl}/`, pid: bare.pid },
      aim,
    },
    { rounds, seconds },
  );
}
