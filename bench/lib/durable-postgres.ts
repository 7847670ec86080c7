import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { cpuSecondsBelow } from './memory.ts';
import { end, start } from './processes.ts';
import type { Side } from './tools.ts';

const server = fileURLToPath(new URL('../../packages/server/test/postgres.ts', import.meta.url));

export interface DurablePostgres extends AsyncDisposable {
  /** Returns its CPU time in seconds, with the processes of all connections. */
  cpuSeconds(): number;
  /** Makes a database. @returns its address */
  createDatabase(name: string): Promise<string>;
}

/**
 * Starts the tests' PostgreSQL on the server's core (or another `side`), with fsync on and its files on disk.
 */
export async function startDurablePostgres(side: Side = 'server'): Promise<DurablePostgres> {
  const child = start(side, process.execPath, [server, '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('a server without an output');
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = line;
    break;
  }
  if (url === '') throw new Error('PostgreSQL did not start');
  return {
    cpuSeconds: () => cpuSecondsBelow(child.pid ?? 0),
    async createDatabase(name) {
      await withClient(url, (client) => client.query(`create database ${pg.escapeIdentifier(name)}`));
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async [Symbol.asyncDispose]() {
      await end(child);
    },
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
