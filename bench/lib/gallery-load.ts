import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { rareWord, seedGallery } from './gallery-data.ts';
import { openData } from './open-data.ts';
import { type Aim, type Row, row } from './result.ts';
import { interleaved } from './rounds.ts';
import { createToken, type ServiceUnderTest, startService } from './service.ts';
import { load, medianP99, medianRate } from './wrk.ts';
import { randomReads } from './wrk-script.ts';

const rounds = 3;
const seconds = 2;
const connections = 16;
const few = 10;

interface Asked {
  /** With `%d` in it, each request has another number there, and none is answered from memory. */
  readonly path: string;
  readonly aim: Aim;
}
/** Pages have ten spaces, so that both sides answer the same amount. */
const samePage: Aim = { of: 'ratio', atLeast: 0.5 };
/** The requests. A search of many spaces finds more than one of ten, so its aim is a rate and not a ratio. */
const asked: Readonly<Record<string, Asked>> = {
  'the first page of the gallery': { path: '/api/gallery?limit=10', aim: samePage },
  'the most played': { path: '/api/gallery?sort=played&limit=10', aim: samePage },
  'of one type': { path: '/api/gallery?space_type=game&limit=3', aim: samePage },
  'a word in one of a thousand, asked for again': {
    path: `/api/gallery?q=${rareWord}&limit=10`,
    aim: { of: 'ours', atLeast: 200 },
  },
  'words that are nowhere': { path: '/api/gallery?q=nowhere%d', aim: { of: 'ours', atLeast: 200 } },
};

type Environment = Record<string, string>;

/**
 * Compares a gallery of many spaces with one of ten, on both engines. Sides that cannot run are added to
 * `missing`.
 */
export async function compareGalleries(folder: string, spaces: number, missing: string[]): Promise<Row[]> {
  const rows = await compare('SQLite', folder, spaces, {}, {});
  try {
    const postgres = await startPostgres();
    try {
      const settings = async () => ({ DATABASE_URL: await postgres.createDatabase() });
      rows.push(...(await compare('PostgreSQL', folder, spaces, await settings(), await settings())));
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return rows;
}

async function compare(
  engine: string,
  folder: string,
  spaces: number,
  manySettings: Environment,
  fewSettings: Environment,
): Promise<Row[]> {
  await using many = await galleryOf(join(folder, `${engine}-many`), manySettings, spaces);
  await using ten = await galleryOf(join(folder, `${engine}-few`), fewSettings, few);
  const rows: Row[] = [];
  for (const [what, { path, aim }] of Object.entries(asked)) {
    const of = async (service: ServiceUnderTest) => {
      const headers = { Host: `localhost:${service.port}` };
      const name = `gallery-${service.port}`;
      const asking = path.includes('%d')
        ? await randomReads(folder, name, { path, below: 1_000_000_000, headers })
        : { headers };
      const url = `http://127.0.0.1:${service.port}${path.replace('%d', '')}`;
      return () => load(url, { ...asking, connections, seconds });
    };
    const sides = { many: await of(many), ten: await of(ten) };
    await interleaved(1, sides);
    const results = await interleaved(rounds, sides);
    const name = `with ${few}`;
    rows.push(
      row(`${what}, ${engine}`, medianRate(results.many), { name, ...medianRate(results.ten) }, aim),
      row('… p99', medianP99(results.many), { name, ...medianP99(results.ten) }),
    );
  }
  return rows;
}

async function galleryOf(data: string, environment: Environment, spaces: number): Promise<ServiceUnderTest> {
  await mkdir(data);
  await createToken(data, 'bench', environment);
  {
    await using opened = await openData(data, environment);
    await seedGallery(opened.platform, 'bench', spaces);
    // PostgreSQL's autovacuum does this after many inserts.
    if (opened.platform.database.engine === 'postgres')
      await sql`analyze`.execute(opened.platform.database.db);
  }
  return startService(data, {
    role: 'serve',
    environment: { ...environment, SEARCHES_PER_MINUTE: '1000000' },
  });
}
