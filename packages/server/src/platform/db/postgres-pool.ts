import pg from 'pg';
import { DatabaseReadOnly, isReadOnly } from './failures.ts';
import type { ServerInUse } from './postgres-server.ts';
import { nameStatements, type StatementNames } from './postgres-statements.ts';
import { type PostgresTiming, silence } from './postgres-timing.ts';
import { parserFor } from './postgres-types.ts';

const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** A connection is replaced after this time; the plans that it keeps go with it. */
const maxLifetimeSeconds = 3_600;

/**
 * How long an unused connection stays open. A new one costs both sides some milliseconds of processor time, while
 * somebody waits. The default of pg is ten seconds.
 */
const maxIdleMs = 300_000;

/**
 * Opens a pool. With `timing` null, statements have no time limit; with `names` null, none is named. With `inUse`, slow
 * statements are watched, and only connections to the server in use are given out.
 */
export function openPool(
  url: string,
  max: number,
  timing: PostgresTiming | null,
  names: StatementNames | null,
  inUse?: ServerInUse,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 1_500,
    maxLifetimeSeconds,
    idleTimeoutMillis: maxIdleMs,
    // Statements that are made side by side on one connection are sent at once.
    pipeline: true,
    ...keepAlive,
    ...(timing === null ? {} : { statement_timeout: timing.statementMs, query_timeout: timing.silenceMs }),
    types: { getTypeParser: parserFor },
  });
  // A broken connection is replaced at its next use. If it is idle, the pool gets the error; if it is in use,
  // the client and the statement get it. Without a listener the error would end the process.
  pool.on('error', () => {});
  const isCurrent = inUse ? keepCurrent(pool, inUse) : () => true;
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (names) nameStatements(client, names);
    const watch = timing &&
      inUse && { inUse, patienceMs: timing.patienceMs, isCurrent: () => isCurrent(client) };
    endWhenSilent(client, watch ?? null);
  });
  return pool;
}

/**
 * Lets the pool give out connections to the server in use alone, and replace the others. Returns whether a connection
 * leads to that server.
 */
function keepCurrent(pool: pg.Pool, inUse: ServerInUse): (client: pg.PoolClient) => boolean {
  const eras = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => eras.set(client, inUse.era));
  const isCurrent = (client: pg.PoolClient) => eras.get(client) === inUse.era;
  const take = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const takeCurrent = async () => {
    for (;;) {
      const client = await take();
      if (isCurrent(client)) return client;
      client.release(true);
    }
  };
  // The other overload, with a callback, has no caller.
  pool.connect = takeCurrent as typeof pool.connect;
  return isCurrent;
}

/**
 * Resolves when the server answers and takes writes.
 * @throws `DatabaseReadOnly`, and then the connection is not used again
 */
export async function pingPool(pool: pg.Pool, inUse: ServerInUse): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const { rows } = await client.query(`select current_setting('transaction_read_only') as read_only`);
    if (rows[0]?.read_only === 'on') throw new DatabaseReadOnly();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    if (isReadOnly(failure)) void inUse.look();
    throw failure;
  } finally {
    client.release(failure);
  }
}

/** Opens the connection for announcements, which is idle and checked now and then. */
export function openLine(url: string, { silenceMs }: PostgresTiming): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_500,
    query_timeout: silenceMs,
    ...keepAlive,
  });
  // An error also ends the connection, and the caller listens to that.
  client.on('error', () => {});
  endWhenSilent(client, null);
  return client;
}

/**
 * Ends a connection without waiting for the server, which may be frozen: end() waits until it has closed its
 * side, and before that for the responses under way.
 */
export async function endAtOnce(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {});
  client.connection.stream.destroy();
  await ended;
}

/** How a statement is watched. */
interface Watch {
  readonly inUse: ServerInUse;
  readonly patienceMs: number;
  /** Whether the connection leads to the server in use. */
  readonly isCurrent: () => boolean;
}

/**
 * Ends the connection when a statement gets no response in time. By itself, pg would only fail the statement
 * and keep the connection, on which the next statement would wait as long. A watched connection also ends as
 * soon as the server turns out to be out of reach. A connection that takes no writes ends, because after a failover
 * the next one may lead to the server that does.
 */
function endWhenSilent(client: pg.Client | pg.PoolClient, watch: Watch | null): void {
  // The pool does not use the connection again. (Its clients are pg.Client, whatever their type says.)
  const end = () => void endAtOnce(client as pg.Client);
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  const watched = (...words: unknown[]) => {
    const result = query(...words);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (isReadOnly(error)) void watch?.inUse.look();
        if (isReadOnly(error) || (error instanceof Error && silence.test(error.message))) end();
      });
      if (watch) watchOver(result, watch, end);
    }
    return result;
  };
  // The overloads are those of the function that it replaces.
  client.query = watched as typeof client.query;
}

/**
 * Calls `giveUp` if the server is out of reach while the statement has no response, or if new connections lead to
 * another one: this one may be gone without having closed its connections. If the server is only slow, it waits.
 */
function watchOver(
  statement: Promise<unknown>,
  { inUse, patienceMs, isCurrent }: Watch,
  giveUp: () => void,
): void {
  let answered = false;
  const wait = () => setTimeout(look, patienceMs).unref();
  let timer = wait();
  const stop = () => {
    answered = true;
    clearTimeout(timer);
  };
  statement.then(stop, stop);

  async function look(): Promise<void> {
    const isThere = await inUse.look();
    if (answered) return;
    if (isThere && isCurrent()) timer = wait();
    else giveUp();
  }
}
