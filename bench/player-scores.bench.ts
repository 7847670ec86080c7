import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareLoads } from './lib/compare-loads.ts';
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { playerPosts, signInPlayers } from './lib/play-load.ts';
import { temporaryFolder } from './lib/processes.ts';
import type { BenchResult, Row } from './lib/result.ts';
import { startScoreService } from './lib/score-service.ts';

const rounds = 4;
const seconds = 3;
const players = 100_000;
const signedIn = 1_000;
/** Largest allowed ratio of the cost of a player's post to that of a server's. */
const dearestTimes = 1.3;

/** Scores posted by players from the page of a space, beside scores posted by its server. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const rows = await measure(join(folder.path, 'sqlite'), 'SQLite', {});
  const missing: string[] = [];
  try {
    await using postgres = await startDurablePostgres();
    rows.push(
      ...(await measure(join(folder.path, 'postgres'), 'PostgreSQL', {
        DATABASE_URL: await postgres.createDatabase('players'),
      })),
    );
  } catch (error) {
    missing.push(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    title: 'Posting scores as players do',
    method: `POST of scores of random players with random scores, to a board with an entry of each of ${players.toLocaleString('en')} players, from 64 connections with wrk: by ${signedIn.toLocaleString('en')} of them with the cookie of their browser and the session of their play, beside posts with the board secret; each durable when it is answered, with the exact rank. A player's post reads who is signed in, and is told who is next. The ratio is of the rates: at least 1 / ${dearestTimes}. ${seconds} s each, ${rounds} rounds in turns after one to warm up; the median of the rounds. CPU time is that of the service's process alone.`,
    rows,
    ...(missing.length > 0 && { missing }),
  };
}

async function measure(folder: string, engine: string, environment: Record<string, string>): Promise<Row[]> {
  await mkdir(folder, { recursive: true });
  const data = join(folder, 'data');
  const unlimited = { ...environment, PLAY_SCORES_PER_MINUTE: '1000000000' };
  await using own = await startScoreService(data, players, unlimited);
  const { port } = own.service;
  const origin = `http://localhost:${port}`;
  const cookies = await signInPlayers(data, environment, { count: signedIn, origin });
  const byServer = await own.posts(folder, 'server');
  const byPlayer = await playerPosts(folder, { origin, slug: own.slug, cookies });
  const app = { url: `http://127.0.0.1:${port}/`, pid: own.service.child.pid };
  return await compareLoads(
    {
      what: `score posts of players, ${engine}`,
      each: 'post',
      ours: { ...app, options: byPlayer },
      theirs: { name: 'by the secret', ...app, options: byServer },
      aim: { of: 'ratio', atLeast: Number((1 / dearestTimes).toFixed(2)) },
    },
    { rounds, seconds },
  );
}
