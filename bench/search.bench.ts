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
import { type DurablePostgres, startDurablePostgres } from './lib/durable-postgres.ts';
import {
  databaseLoad,
  type MeasuredLoad,
  measuredLoad,
  medianCpu,
  medianDatabase,
} from './lib/measured-load.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, type Figure, type Row, row } from './lib/result.ts';
import { interleaved } from './lib/rounds.ts';
import { type Sample, seedSearch } from './lib/search-data.ts';
import { askingFor, differentSearches, kindNames, typedTexts } from './lib/search-queries.ts';
import { createToken, startService } from './lib/service.ts';
import { type LoadOptions, medianP99, medianRate } from './lib/wrk.ts';

const spaces = Number(process.env.BENCH_SEARCH_SPACES ?? 100_000);
const rounds = 5;
const seconds = 3;
const connections = 16;
/** More than a round answers. Each round has searches of its own. */
const perRound = 8_000;
const keptSearches = 50;

/** Searches of a full gallery, as people type them. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows = await measure(join(folder.path, 'sqlite'), 'SQLite', {}, null);
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    const environment = { DATABASE_URL: await postgres.createDatabase('search') };
    rows.push(...(await measure(join(folder.path, 'postgres'), 'PostgreSQL', environment, postgres)));
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Searching',
    method: `GET /api/gallery?q=… among ${spaces.toLocaleString('en')} spaces with titles of one to three words, up to three tags and descriptions of 30 words, out of 12,000 words of which a few are everywhere. The searches are of ${kindNames.length} kinds in turn: ${kindNames.join(', ')}. In the first rows no search comes twice, so that each is computed; where a kind has few texts, such as the letters, it is narrowed by type or ordered otherwise. The searches that are kept are ${keptSearches}, asked for again and again, and answered from memory. Beside both bare node:http with the bytes of an answer of middle length. The index is in one piece, as the service’s sweeps bring it. wrk, ${connections} connections, ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds; the limit of searches raised. Whatever serves, PostgreSQL too, is on the server's core. CPU time is user and system time of the process that answers; that of PostgreSQL is a row of its own. The turn of the event loop is measured in a process that searches one query after the other, without HTTP.`,
    rows,
    ...(missing.length > 0 && { missing }),
  };
}

async function measure(
  folder: string,
  engine: string,
  environment: Record<string, string>,
  postgres: DurablePostgres | null,
): Promise<Row[]> {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  await createToken(data, 'bench', environment);
  const { samples, turns } = await seed(data, environment);
  await using service = await startService(data, {
    role: 'serve',
    environment: { ...environment, SEARCHES_PER_MINUTE: '1000000000' },
  });
  const paths = differentSearches(samples, perRound * (rounds + 1) + keptSearches);
  const body = join(folder, 'answer.json');
  await writeFile(body, await middleAnswer(service.baseUrl, paths.slice(0, keptSearches)));
  await using bare = await startBareHttp(body);
  const asking = (name: string, from: number, count: number) =>
    askingFor(folder, name, paths.slice(from, from + count), `localhost:${service.port}`);
  const ours = (options: LoadOptions) =>
    databaseLoad(postgres, `http://127.0.0.1:${service.port}/`, service.child.pid, {
      ...options,
      connections,
      seconds,
    });
  const kept = await asking('kept', 0, keptSearches);
  let next = keptSearches;
  const sides = {
    different: async () => {
      const from = next;
      next += perRound;
      return ours(await asking(`different-${from}`, from, perRound));
    },
    kept: () => ours(kept),
    bare: () => measuredLoad(`${bare.baseUrl}/`, bare.pid, { connections, seconds }),
  };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const besideBare = (loads: readonly MeasuredLoad[], of: (loads: readonly MeasuredLoad[]) => Figure) =>
    [of(loads), { name: 'bare node:http', ...of(results.bare) }] as const;
  const { different } = results;
  return [
    row(`searches that are all different, ${engine}`, ...besideBare(different, medianRate), {
      of: 'ours',
      atLeast: 1_000,
    }),
    row('… p99', ...besideBare(different, medianP99), { of: 'ours', atMost: 20 }),
    row('… CPU time of a request', ...besideBare(different, medianCpu)),
    ...(postgres ? [row('… CPU time of PostgreSQL', medianDatabase(different))] : []),
    row(`searches that are kept, ${engine}`, ...besideBare(results.kept, medianRate), {
      of: 'ratio',
      atLeast: 0.3,
    }),
    row('… p99', ...besideBare(results.kept, medianP99)),
    row('… CPU time of a request', ...besideBare(results.kept, medianCpu)),
    row(`the longest turn of the event loop, ${engine}`, { value: turns.longestMs, unit: 'ms' }, null, {
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
): Promise<{ samples: Sample[]; turns: Turns }> {
  await using opened = await openData(data, environment);
  const { database } = opened.platform;
  const fill = () => seedSearch(opened.platform, 'bench', spaces);
  const samples = database.engine === 'postgres' ? await withoutTokenIndex(database, fill) : await fill();
  await mergeSearch(database);
  // PostgreSQL's autovacuum does this after many inserts.
  if (database.engine === 'postgres') await sql`analyze`.execute(database.db);
  return { samples, turns: await turnsOf(opened.platform, typedTexts(samples, 600)) };
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
