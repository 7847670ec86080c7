import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type PageServer, startPages } from '../pages.ts';
import { openRelay, type Relay } from '../relay.ts';
import { openRoundRobin, type Passed } from '../round-robin.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { startService, type TestService } from '../service.ts';

export type ProcessName = 'left' | 'right' | 'worker';
export const nodeNames = ['left', 'right'] as const;

/**
 * Two serving nodes and a worker on one database and one store, behind a proxy. Each of these can be broken.
 */
export interface NodeCluster {
  /** A service on the same data that gets no traffic: for preparing and inspecting the data. */
  readonly test: TestService;
  /** Serves the pages that are listed. */
  readonly pages: PageServer;
  /** Port of the proxy. */
  readonly port: number;
  /** Returns a node's current port; waits for a node that is starting. */
  portOf(name: (typeof nodeNames)[number]): Promise<number>;
  /** Wrong answers that a client got: a 5xx other than a temporary refusal. */
  readonly wrongs: readonly string[];
  /** Duration of the slowest temporary refusal. */
  readonly slowestRefusalMs: number;
  /** Ends a process, and restarts it at once. */
  kill(name: ProcessName): Promise<void>;
  restart(name: ProcessName): Promise<void>;
  /** Stops all answers of the database (or the store) for this long. */
  freezeDatabase(milliseconds: number): Promise<void>;
  freezeStore(milliseconds: number): Promise<void>;
  /** Cuts every connection that listens for announcements. */
  cutListening(): Promise<void>;
  close(): Promise<void>;
}

/** No limits, because all schedules use one address and few accounts. */
const noLimits = {
  PUBLISHES_PER_HOUR: '100000',
  ANONYMOUS_PUBLISHES_PER_HOUR: '100000',
  CHECKS_PER_HOUR: '100000',
  WAITING_CHECKS: '1000',
  MOVES_PER_10_MINUTES: '100000',
  LISTINGS_PER_HOUR: '100000',
  GUESTS_PER_HOUR: '100000',
  SAVES_PER_MINUTE: '100000',
  ROOM_TICKETS_PER_MINUTE: '100000',
  PLAYER_SCORES_PER_MINUTE: '100000',
};

export async function startNodeCluster(): Promise<NodeCluster> {
  const pages = await startPages();
  const wrongs: string[] = [];
  let slowestRefusalMs = 0;
  const proxy = await openRoundRobin((passed) => {
    // The limits are off, so a 429 means that a node counts wrongly.
    if (passed.status < 500 && passed.status !== 429) return;
    if (passed.status === 503) slowestRefusalMs = Math.max(slowestRefusalMs, passed.milliseconds);
    if (passed.status !== 503 || passed.retryAfter === undefined) wrongs.push(describePassed(passed));
  });
  const test = await startService({
    role: 'serve',
    environment: {
      ...noLimits,
      BASE_URL: `http://localhost:${proxy.port}`,
      PLAY_HOST: `play.localhost:${proxy.port}`,
      PREVIEW_HOST: `temp.localhost:${proxy.port}`,
      FETCH_ALLOW: pages.address,
    },
  });
  const { DATABASE_URL = '', BLOB_STORE = '', ...rest } = test.environment;
  const database = await openRelay(DATABASE_URL);
  const storeUrl = new URL(BLOB_STORE);
  const store = await openRelay(storeUrl.searchParams.get('endpoint') ?? '');
  storeUrl.searchParams.set('endpoint', new URL(store.url).origin);
  const environment: Record<string, string> = {
    ...rest,
    PORT: '0',
    DATABASE_URL: database.url,
    BLOB_STORE: storeUrl.href,
    DATABASE_CONNECTIONS: '8',
    // A short lease, so that the next worker soon takes over the check of a killed one.
    JOB_LEASE_SECONDS: '5',
  };
  const processes = new Map<ProcessName, Promise<ServerProcess>>();

  async function start(name: ProcessName): Promise<void> {
    const starting = startServerProcess(environment, { role: name === 'worker' ? 'work' : 'serve' });
    processes.set(name, starting);
    const { listeningPort } = await starting;
    if (name !== 'worker') proxy.set(nodeNames.indexOf(name), listeningPort);
  }

  async function again(name: ProcessName, signal: NodeJS.Signals): Promise<void> {
    const process = await processes.get(name);
    // A node that is told to end announces it, so the proxy stops sending to it. A killed node is found by
    // failed connections.
    if (name !== 'worker' && signal === 'SIGTERM') proxy.set(nodeNames.indexOf(name), null);
    await process?.end(signal);
    await start(name);
  }

  const frozenFor = (relay: Relay) => async (milliseconds: number) => {
    relay.freeze();
    await pause(milliseconds);
    relay.thaw();
  };
  await Promise.all(['left', 'right', 'worker'].map((name) => start(name as ProcessName)));
  return {
    test,
    pages,
    port: proxy.port,
    portOf: async (name) => (await processes.get(name))?.listeningPort ?? 0,
    wrongs,
    get slowestRefusalMs() {
      return slowestRefusalMs;
    },
    kill: (name) => again(name, 'SIGKILL'),
    restart: (name) => again(name, 'SIGTERM'),
    freezeDatabase: frozenFor(database),
    freezeStore: frozenFor(store),
    async cutListening() {
      // A line on which nothing is said is asked "select 1" now and then; so are others, which are cut with
      // it.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and (query ilike 'listen%' or query ilike 'select 1')`.execute(
        test.service.platform.database.db,
      );
    },
    async close() {
      for (const process of await Promise.all(processes.values())) await process.end('SIGKILL');
      await proxy.close();
      await test.close();
      await database.close();
      await store.close();
      await pages[Symbol.asyncDispose]();
    },
  };
}

function describePassed({ method, host, path, status, retryAfter }: Passed): string {
  return `${method} ${host}${path}: ${status}, Retry-After ${retryAfter}`;
}
