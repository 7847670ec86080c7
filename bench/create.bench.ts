import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@spaceport/client/client';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { openData } from './lib/open-data.ts';
import { temporaryFolder, timed } from './lib/processes.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { seedBlobs } from './lib/seed.ts';
import { createToken, type ServiceUnderTest, startService } from './lib/service.ts';

const rounds = 40;
const warmUps = 10;
const filesPerCreate = 2_000;
/** Number of a create's files that the store has already. */
const hadPerCreate = 500;

/** Creating a version in a store with few files, and in a store with many. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows = [await compare('SQLite', folder.path, {}, {})];
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    const few = { DATABASE_URL: await postgres.createDatabase('few') };
    const many = { DATABASE_URL: await postgres.createDatabase('many') };
    rows.push(await compare('PostgreSQL', folder.path, few, many));
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Creating a version',
    method: `POST of a create of ${filesPerCreate.toLocaleString('en')} files, ${hadPerCreate} of them had, with 1,000 and with 1,000,000 rows in the tables of files, all of the same account: two services, asked in turns; the median of ${rounds}.`,
    rows,
    missing,
  };
}

type Environment = Record<string, string>;

async function compare(
  engine: string,
  folder: string,
  fewSettings: Environment,
  manySettings: Environment,
): Promise<Row> {
  await using few = await storeOf(join(folder, `${engine}-few`), fewSettings, 1_000);
  await using many = await storeOf(join(folder, `${engine}-many`), manySettings, 1_000_000);
  const sides = { few: few.create, many: many.create };
  await interleaved(warmUps, sides);
  const results = await interleaved(rounds, sides);
  return row(
    `a create with 1,000,000 files in the store, ${engine}`,
    { value: median(results.many), unit: 'ms' },
    { name: 'with 1,000', value: median(results.few), unit: 'ms' },
    { of: 'ratio', atMost: 1.2 },
  );
}

/** Returns a service with this many rows, and a function that measures one create in ms. */
async function storeOf(
  dataFolder: string,
  environment: Environment,
  count: number,
): Promise<AsyncDisposable & { readonly create: () => Promise<number> }> {
  await mkdir(dataFolder);
  const token = await createToken(dataFolder, 'bench', environment);
  const had = await seed(dataFolder, environment, count);
  const service = await startService(dataFolder, { role: 'serve', environment });
  const space = await firstCreate(service, token);
  const create = async () => {
    const body = JSON.stringify({ space, files: filesWith(had) });
    return timed(async () => {
      const answer = await fetch(`${service.baseUrl}/api/v1/hosting/versions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
      const text = await answer.text();
      if (answer.status !== 201)
        throw new Error(`the create answered ${answer.status}: ${text.slice(0, 500)}`);
    });
  };
  return { create, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

async function seed(dataFolder: string, environment: Environment, count: number): Promise<string[]> {
  await using data = await openData(dataFolder, environment);
  return await seedBlobs(data.platform, 'bench', count);
}

async function firstCreate({ baseUrl }: ServiceUnderTest, token: string): Promise<string> {
  const answer = await createClient({ baseUrl, token }).createVersion({
    body: {
      fields: { title: 'Bench', space_type: 'game', devices: ['desktop'] },
      files: filesWith([]),
    },
  });
  if ('dryRun' in answer) throw new Error('a create was answered as a dry run');
  return answer.space.slug;
}

function filesWith(had: readonly string[]) {
  return Array.from({ length: filesPerCreate }, (_, index) => ({
    path: index === 0 ? 'index.html' : `assets/level-${index % 20}/part-${index}.bin`,
    size: 1_000,
    sha256: (index < hadPerCreate ? had[index] : undefined) ?? randomBytes(32).toString('hex'),
  }));
}
