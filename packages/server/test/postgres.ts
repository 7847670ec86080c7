import { randomBytes } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';
import { type Cluster, startCluster } from './postgres-cluster.ts';

/** A PostgreSQL for tests, and databases on it. */
export interface TestPostgres {
  /** Returns the address of a database, in the form of `DATABASE_URL`. */
  url(database: string): string;
  /** Makes a database, empty or as a copy of `template`, with further `options` of SQL. Returns its address. */
  createDatabase(template?: string, options?: string): Promise<string>;
  /** Drops a database of `createDatabase`, even if there are connections to it. */
  dropDatabase(url: string): Promise<void>;
  /** Ends the server, if this process started it, and deletes its files. */
  stop(): Promise<void>;
}

/** Starts a separate server. It ends with `stop`, or with this process, however that ends. */
export async function startPostgres(options: { durable?: boolean } = {}): Promise<TestPostgres> {
  const cluster = await startCluster(options);
  return postgresAt(cluster.url, cluster);
}

/** Returns the test runner's server, or starts one if the test file runs without the runner. */
export async function testPostgres(): Promise<TestPostgres> {
  const { TEST_POSTGRES_URL: adminUrl } = process.env;
  return adminUrl ? postgresAt(adminUrl) : startPostgres();
}

function postgresAt(adminUrl: string, cluster?: Cluster): TestPostgres {
  const url = (database: string) => {
    const address = new URL(adminUrl);
    address.pathname = `/${database}`;
    return address.href;
  };
  return {
    url,
    createDatabase: async (template = 'template0', options = '') => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      // A file copy of the template is twice as fast as the default, which writes it through the log.
      await administer(
        adminUrl,
        `create database ${name} template ${template} strategy file_copy ${options}`,
      );
      return url(name);
    },
    dropDatabase: async (address) => {
      const name = new URL(address).pathname.slice(1);
      await administer(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
    },
    stop: async () => cluster?.stop(),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const server = await startPostgres({ durable: process.argv.includes('--durable') });
  console.log(server.url('postgres'));
  process.stdin.resume();
  process.stdin.once('end', () => void server.stop());
}
