import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Platform } from '../packages/server/src/platform/context.ts';
import type { Database } from '../packages/server/src/platform/db/database.ts';
import { mergeSearch } from '../packages/server/src/search/merge.ts';
import { searchSpaces } from '../packages/server/src/search/search.ts';
import { startBareHttp } from './lib/bare-http.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { type MeasuredLoad, measuredLoad } from './lib/measured-load.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { askingFor, queriesFor, seedSearch } from './lib/search-data.ts';
import { createToken, startService } from './lib/service.ts';

const spaces = Number(process.env.BENCH_SEARCH_SPACES ?? 100_000);
const rounds = 5;
const seconds = 3;
const connections = 16;

/** Searches of a full gallery, as people type them. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows = await measure(join(folder.path, 'sqlite'), 'SQLite', {});
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    const environment = { DATABASE_URL: await postgres.createDatabase('search') };
    rows.push(...(await measure(join(folder.path, 'postgres'), 'PostgreSQL', environment)));
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Searching',
    method: `GET /api/gallery?q=… among ${spaces.toLocaleString('en')} spaces with titles of one to three words, up to three tags and descriptions of 30 words, out of 12,000 words of which a few are everywhere; 600 queries in turn: beginnings of titles, whole titles and words, titles with a letter missing, and a word beside one that is nowhere; the index is in one piece, as the service’s sweeps bring it. wrk, ${connections} connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds; the limit of searches raised. Beside it bare node:http with the bytes of an answer of middle length. Whatever serves, PostgreSQL too, is on the server's core. CPU time is user and system time of the process that answers, without PostgreSQL's. The turn of the event loop is measured in a process that searches one query after the other, without HTTP.`,
    rows,
    ...(missing.length > 0 && { missing }),
  };
}

async function measure(folder: string, engine: string, environment: Record<string, string>): Promise<Row[]> {
  await mkdir(folder, { recursive: true });
  const data = join(folder, 'data');
  await mkdir(data);
  await createToken(data, 'bench', environment);
  const { queries, turns } = await seed(data, environment);
  await using service = await startService(data, {
    role: 'serve',
    environment: { ...environment, SEARCHES_PER_MINUTE: '1000000000' },
  });
  const paths = queries.map((q) => `/api/gallery?q=${encodeURIComponent(q)}`);
  const body = join(folder, 'answer.json');
  await writeFile(body, await middleAnswer(service.baseUrl, paths));
  await using bare = await startBareHttp(body);
  const searching = {
    script: await askingFor(folder, paths, `localhost:${service.port}`),
    connections,
    seconds,
  };
  const sides = {
    ours: () => measuredLoad(`http://127.0.0.1:${service.port}/`, service.child.pid, searching),
    bare: () => measuredLoad(`${bare.baseUrl}/`, bare.pid, { connections, seconds }),
  };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const of = (loads: readonly MeasuredLoad[], field: keyof MeasuredLoad, unit: string) => ({
    value: median(loads.map((load) => load[field])),
    unit,
  });
  const compared = (field: keyof MeasuredLoad, unit: string) =>
    [of(results.ours, field, unit), { name: 'bare node:http', ...of(results.bare, field, unit) }] as const;
  return [
    row(`searches, ${engine}`, ...compared('requestsPerSecond', 'requests/s'), {
      of: 'ours',
      atLeast: 1_000,
    }),
    row('… p99', ...compared('p99Ms', 'ms'), { of: 'ours', atMost: 20 }),
    row('… CPU time of a request', ...compared('cpuUs', 'µs')),
    row('… the longest turn of the event loop', { value: turns.longestMs, unit: 'ms' }, null, {
      of: 'ours',
      atMost: 10,
    }),
    row('… 99 of 100 turns', { value: turns.p99Ms, unit: 'ms' }),
  ];
}

interface Turns {
  readonly longestMs: number;
  readonly p99Ms: number;
}

async function seed(
  data: string,
  environment: Record<string, string>,
): Promise<{ queries: string[]; turns: Turns }> {
  await using opened = await openData(data, environment);
  const { database } = opened.platform;
  const fill = () => seedSearch(opened.platform, 'bench', spaces);
  const titles = database.engine === 'postgres' ? await withoutTokenIndex(database, fill) : await fill();
  const queries = queriesFor(titles);
  await mergeSearch(database);
  // PostgreSQL's autovacuum does this after many inserts.
  if (database.engine === 'postgres') await sql`analyze`.execute(database.db);
  return { queries, turns: await turnsOf(opened.platform, queries) };
}

/**
 * Fills PostgreSQL before its index of tokens is made: row by row the index takes most of the time of the fill,
 * and statements run so long on a busy core that the server counts as out of reach.
 */
async function withoutTokenIndex<T>(database: Database, fill: () => Promise<T>): Promise<T> {
  await sql`drop index search_docs_tokens`.execute(database.db);
  const filled = await fill();
  await database.patiently((db) =>
    sql`create index search_docs_tokens on search_docs using gin (tokens) with (fastupdate = off)`.execute(
      db,
    ),
  );
  return filled;
}

/** Measures how long a search blocks other requests; the first pass compiles code. */
async function turnsOf({ database: { db } }: Platform, queries: readonly string[]): Promise<Turns> {
  const pass = async () => {
    for (const q of queries) {
      const asked = { q, tag: undefined, spaceType: undefined };
      await searchSpaces(db, asked, { order: 'best', after: null, limit: 25 });
      await nextTurn();
    }
  };
  await pass();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pass();
  delay.disable();
  return { longestMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6 };
}

async function middleAnswer(baseUrl: string, paths: readonly string[]): Promise<string> {
  const answers: string[] = [];
  for (const path of paths.slice(0, 60)) {
    const answer = await fetch(`${baseUrl}${path}`);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    answers.push(await answer.text());
  }
  return answers.sort((one, other) => one.length - other.length)[Math.floor(answers.length / 2)] ?? '';
}
