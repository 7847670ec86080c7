import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bareSaves } from './lib/bare-saves.ts';
import { seedPlayers, seedSpace } from './lib/board-data.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { measuredLoad, medianCpu } from './lib/measured-load.ts';
import { openData } from './lib/open-data.ts';
import { signInPlayers } from './lib/play-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, type Row, row } from './lib/result.ts';
import { interleaved, median } from './lib/rounds.ts';
import { playerSaves, saveOf } from './lib/save-load.ts';
import { createToken, startService } from './lib/service.ts';
import { medianP99 } from './lib/wrk.ts';

const rounds = 5;
const seconds = 3;
const players = 1_000;
const leastSaves = 5_000;

/**
 * Saves of players, each durable when it is answered, beside a bare process that writes the same number of
 * bytes.
 */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const sqlite = join(folder.path, 'sqlite');
  const rows = await measure(sqlite, 'SQLite', {}, join(folder.path, 'bare.sqlite'));
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    const environment = { DATABASE_URL: await postgres.createDatabase('saves') };
    const bare = await postgres.createDatabase('bare');
    rows.push(...(await measure(join(folder.path, 'postgres'), 'PostgreSQL', environment, bare)));
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Saving as players do',
    method: `PUT of saves of ${(saveOf(0).length / 1_000).toFixed(1)} KB of JSON, each over the player's last and naming its version, by ${players.toLocaleString('en')} players with the cookie of their browser, from 64 connections with wrk; each durable when it is answered. Beside it a process that writes as many bytes as durably, 64 in a transaction with one prepared statement, and does nothing else: no HTTP, no sign-in, no versions, no conflicts. Whatever serves, PostgreSQL too, is on the server's core. ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds. CPU time is user and system time of the process that writes, without PostgreSQL's.`,
    rows,
    ...(missing.length > 0 && { missing }),
  };
}

async function measure(
  folder: string,
  engine: string,
  environment: Record<string, string>,
  bare: string,
): Promise<Row[]> {
  await mkdir(folder, { recursive: true });
  const data = join(folder, 'data');
  await mkdir(data);
  await createToken(data, 'bench', environment);
  const slug = await seed(data, environment);
  await using service = await startService(data, {
    role: 'serve',
    environment: { ...environment, SAVES_PER_MINUTE: '1000000000' },
  });
  const origin = service.baseUrl;
  const cookies = await signInPlayers(data, environment, { count: players, origin });
  const saving = await playerSaves(folder, { origin, slug, cookies });
  const sides = {
    ours: () => measuredLoad(`http://127.0.0.1:${service.port}/`, service.child.pid, { ...saving, seconds }),
    bare: () => bareSaves(bare, seconds),
  };
  await interleaved(1, sides);
  const { ours, bare: alone } = await interleaved(rounds, sides);
  const name = engine === 'SQLite' ? 'node:sqlite' : 'pg';
  const rate = (values: readonly number[]) => ({ value: median(values), unit: 'saves/s' });
  return [
    row(
      `saves, ${engine}`,
      rate(ours.map(({ requestsPerSecond }) => requestsPerSecond)),
      { name, ...rate(alone.map(({ savesPerSecond }) => savesPerSecond)) },
      engine === 'SQLite' ? { of: 'ours', atLeast: leastSaves } : null,
    ),
    row('… CPU time of a save', medianCpu(ours), { name, ...medianCpu(alone) }),
    row('… p99', medianP99(ours)),
  ];
}

/** Seeds the data. Returns the slug of the played space. */
async function seed(dataFolder: string, environment: Record<string, string>): Promise<string> {
  await using data = await openData(dataFolder, environment);
  const { slug } = await seedSpace(data.platform, 'bench');
  await seedPlayers(
    data.platform,
    Array.from({ length: players }, (_, number) => number),
  );
  return slug;
}
