import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { testRules, withoutPostgres } from '../../../test/database.ts';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { openRelay, type Relay } from '../../../test/relay.ts';
import { type Database, openDatabase } from './database.ts';
import { isUnavailable } from './failures.ts';
import type { PostgresTiming } from './postgres-timing.ts';

/** A node whose address of PostgreSQL leads to the first of two servers. */
interface Failover {
  readonly relay: Relay;
  readonly database: Database;
  /** The address of the second server. */
  readonly second: string;
  /** Makes the first server refuse writes, on every connection. */
  fence(): Promise<void>;
  /** A node at the second server. */
  readonly other: Database;
}

describe('a PostgreSQL that another one takes over from', { skip: withoutPostgres }, () => {
  let servers: TestPostgres[] = [];
  before(async () => {
    servers = await Promise.all([startPostgres(), startPostgres()]);
    for (const server of servers)
      await run(server.url('postgres'), `create role node superuser login password 'node'`);
  });
  after(async () => {
    for (const server of servers) await server.stop();
  });

  async function withFailover(
    timing: Partial<PostgresTiming>,
    work: (failover: Failover) => Promise<void>,
  ): Promise<void> {
    const [first, second] = servers.map((server) => nodeAddress(server.url('postgres')));
    assert.ok(first && second);
    const relay = await openRelay(first);
    const settings = { file: '', maxConnections: 3, timing };
    const database = await openDatabase({ ...settings, url: relay.url }, testRules);
    const other = await openDatabase({ ...settings, url: second }, testRules);
    try {
      // Each of the three connections is open.
      await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`.execute(database.db)));
      const fence = async () => {
        await run(first, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
      };
      await work({ relay, database, second, fence, other });
    } finally {
      await run(
        first,
        'set default_transaction_read_only = off',
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
      );
      await database.close();
      await other.close();
      await relay.close();
    }
  }

  it('is read, written and listened to as soon as the first one takes no writes', async () => {
    await withFailover({}, async ({ relay, database, second, fence, other }) => {
      relay.leadTo(second);
      await fence();
      const missed = everything(database, () => true);
      const reopened = everything(database, () => !database.announcements.isDeaf);
      await refusedOnce(database);
      await missed;
      assert.deepEqual(await portsOf(database), [portOf(second)]);
      await sql`create temporary table written (n integer)`.execute(database.db);
      await reopened;
      const heard = new Promise((resolve) => database.announcements.listen('space', resolve));
      await other.transaction(async (tx) => tx.announce('space', 'moved'));
      assert.equal(await heard, 'moved');
    });
  });

  it('is found by a node that writes nothing', async () => {
    await withFailover({ beatMs: 100 }, async ({ relay, database, second }) => {
      const missed = everything(database, () => true);
      relay.leadTo(second);
      await missed;
      assert.deepEqual(await portsOf(database), [portOf(second)]);
    });
  });

  it('is used as soon as the first one has fallen silent', async () => {
    await withFailover({ patienceMs: 100 }, async ({ relay, database, second }) => {
      relay.leadTo(second, true);
      const startedAt = performance.now();
      await assert.rejects(sql`select 1`.execute(database.db), isUnavailable);
      // A statement without a result is given up after 17 seconds.
      assert.ok(performance.now() - startedAt < 10_000);
      assert.ok(database.announcements.isDeaf, 'what others announce is lost');
      assert.deepEqual(await portsOf(database), [portOf(second)]);
    });
  });

  it('is left alone while a statement is slow at the same server', async () => {
    await withFailover({ patienceMs: 50, beatMs: 50 }, async ({ database }) => {
      const [before] = await pidsOf(database);
      await sql`select pg_sleep(0.5)`.execute(database.db);
      assert.equal(database.announcements.isDeaf, false);
      assert.ok((await pidsOf(database)).includes(before ?? 0), 'its connections stay');
    });
  });
});

function nodeAddress(url: string): string {
  const address = new URL(url);
  address.username = 'node';
  address.password = 'node';
  return address.href;
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Writes until the server refuses it, once it has read its settings again. */
async function refusedOnce(database: Database): Promise<void> {
  const write = () => sql`create sequence if not exists tried`.execute(database.db);
  for (;;) {
    const refused = await write().then(
      () => false,
      (error: unknown) => isUnavailable(error),
    );
    if (refused) return;
  }
}

/** Resolves when everything is announced as changed and `isMeant`. */
function everything(database: Database, isMeant: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = database.announcements.listen('board', (id) => {
      if (id !== '*' || !isMeant()) return;
      stop();
      resolve();
    });
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The ports of the servers that three connections at once lead to. */
async function portsOf(database: Database): Promise<number[]> {
  return each(database, `current_setting('port')::integer`);
}

async function pidsOf(database: Database): Promise<number[]> {
  return each(database, 'pg_backend_pid()');
}

async function each(database: Database, what: string): Promise<number[]> {
  const asked = [1, 2, 3].map(async () => {
    const { rows } = await sql<{ n: number }>`select ${sql.raw(what)} as n, pg_sleep(0.1)`.execute(
      database.db,
    );
    return rows[0]?.n ?? 0;
  });
  return [...new Set(await Promise.all(asked))];
}
