import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { makeFolder, type ServerUser, serverBinaries, serverUser } from './postgres-binaries.ts';

export interface Cluster {
  /** The superuser's address, on the database `postgres`. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Runs the server, and ends it when the pipe on stdin closes: the kernel closes it when the process that started us
 * ends, also by `kill -9`. Nothing is flushed first, because nobody will read the files again.
 */
const supervise = `
home=$1 data=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- & server=$!
( cat <&3 >/dev/null; kill -QUIT $server ) & watch=$!
wait $server
exec 2>/dev/null
kill $watch
cd /
rm -rf "$home" "$data"`;

/** Commits are atomic and visible as ever; only a power cut would lose them, and that ends the test too. */
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

/** A power cut loses nothing, as where people's data is: for figures that are compared with it. */
const durableSettings = ['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB'];

/** Nothing of the caller's may reach the server: PGDATA and friends would change what it does. */
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const startAttempts = 3;
const startSeconds = 60;

/** `durable`: with its files on the disk, and each commit there before it is answered. */
export async function startCluster({ durable = false } = {}): Promise<Cluster> {
  const user = await serverUser();
  for (let attempt = 1; ; attempt++) {
    const home = await makeFolder(user, 'disk');
    const data = await makeFolder(user, durable ? 'disk' : 'memory');
    try {
      return await startIn(home, data, user, durable ? [...testSettings, ...durableSettings] : testSettings);
    } catch (error) {
      for (const folder of [home, data]) await rm(folder, { recursive: true, force: true });
      // Someone else can take the free port between our look and the server's start.
      const portWasTaken = error instanceof Error && error.message.includes('could not bind');
      if (!portWasTaken || attempt === startAttempts) throw error;
    }
  }
}

async function startIn(
  home: string,
  data: string,
  user: ServerUser,
  settings: readonly string[],
): Promise<Cluster> {
  const { initdb, postgres } = await serverBinaries(user, home);
  const spawned = { ...user.ids, cwd: home, env: environment };
  const password = randomBytes(16).toString('hex');

  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.ids) await chown(passwordFile, user.ids.uid, user.ids.gid);
  const cheap = ['--no-sync', '--no-data-checksums', '--no-instructions'];
  const plain = ['--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=password'];
  await promisify(execFile)(
    initdb,
    [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...cheap, ...plain],
    spawned,
  );

  const port = await freePort();
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const supervisor = spawn(
    '/bin/sh',
    ['-c', supervise, 'supervise', home, data, postgres, '-D', data, '-p', String(port), ...flags],
    // In a group of its own, so that Ctrl-C in a terminal reaches the tests before it reaches their database.
    { ...spawned, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(url, supervisor);
  // From here on it must not keep this process alive: a test that forgets `stop` still ends.
  supervisor.stderr?.destroy();
  supervisor.unref();
  return { url, stop: () => stop(supervisor) };
}

async function stop(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const ended = once(supervisor, 'exit');
  supervisor.ref();
  supervisor.stdin?.end();
  await ended;
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
      await stop(supervisor);
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.');
  return address.port;
}
