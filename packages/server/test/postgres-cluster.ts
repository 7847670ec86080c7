import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { makeFolder, type ServerUser, serverBinaries, serverUser } from './postgres-binaries.ts';
import { release, startSupervised, stopSupervised } from './supervised.ts';

export interface Cluster {
  /** The superuser's address, on the database `postgres`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Fast settings: commits are atomic and visible, but a power cut would lose them, which would end the test
 * too.
 */
const testSettings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=64MB',
  'fsync=off',
  'synchronous_commit=on',
  'full_page_writes=off',
  'deadlock_timeout=100ms',
];

/** Durable settings, as in production, for benches: a power cut loses nothing. They order texts by bytes. */
const durableSettings = ['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB'];

/**
 * Texts are ordered as in English, as in most databases: the image for containers and the managed services make them
 * so. That is another order than SQLite's, which compares bytes.
 */
const asInEnglish = ['--locale-provider=icu', '--icu-locale=en-US'];

/** A clean environment for the server, because variables such as PGDATA would change its behaviour. */
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const startAttempts = 3;
const startSeconds = 60;

/** Starts a server. With `durable` its files are on disk, and each commit is durable before its answer. */
export async function startCluster({ durable = false } = {}): Promise<Cluster> {
  const user = await serverUser();
  for (let attempt = 1; ; attempt++) {
    const home = await makeFolder(user, 'disk');
    const data = await makeFolder(user, durable ? 'disk' : 'memory');
    try {
      return durable
        ? await startIn(home, data, user, { settings: [...testSettings, ...durableSettings], order: [] })
        : await startIn(home, data, user, { settings: testSettings, order: asInEnglish });
    } catch (error) {
      for (const folder of [home, data]) await rm(folder, { recursive: true, force: true });
      // Another process can take the free port before the server starts.
      const portWasTaken = error instanceof Error && error.message.includes('could not bind');
      if (!portWasTaken || attempt === startAttempts) throw error;
    }
  }
}

async function startIn(
  home: string,
  data: string,
  user: ServerUser,
  { settings, order }: { settings: readonly string[]; order: readonly string[] },
): Promise<Cluster> {
  const { initdb, postgres } = await serverBinaries(user, home);
  const spawned = { ...user.ids, cwd: home, env: environment };
  const password = randomBytes(16).toString('hex');

  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.ids) await chown(passwordFile, user.ids.uid, user.ids.gid);
  const cheap = ['--no-sync', '--no-data-checksums', '--no-instructions'];
  const plain = ['--encoding=UTF8', '--locale=C', ...order, '--username=postgres', '--auth=password'];
  await promisify(execFile)(
    initdb,
    [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...cheap, ...plain],
    spawned,
  );

  const port = await freePort();
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const supervisor = startSupervised(
    {
      command: [postgres, '-D', data, '-p', String(port), ...flags],
      folders: [home, data],
      // Ends without flushing.
      signal: 'QUIT',
    },
    spawned,
  );
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(url, supervisor);
  release(supervisor);
  return { url, stop: () => stopSupervised(supervisor) };
}

async function untilReady(url: string, supervisor: ChildProcess): Promise<void> {
  let log = '';
  supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const deadline = Date.now() + startSeconds * 1_000;
  while (!(await answers(url))) {
    if (supervisor.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
    if (Date.now() > deadline) {
      await stopSupervised(supervisor);
      throw new Error(`PostgreSQL did not answer in ${startSeconds} s:\n${log}`);
    }
    await pause(20);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
