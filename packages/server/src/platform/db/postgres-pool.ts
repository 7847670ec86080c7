import pg from 'pg';
import { createPulse } from './postgres-pulse.ts';
import { nameStatements, type StatementNames } from './postgres-statements.ts';
import { type PostgresTiming, silence } from './postgres-timing.ts';
import { parserFor } from './postgres-types.ts';

const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** After that a connection is replaced: with it go the plans that it keeps. */
const maxLifetimeSeconds = 3_600;

/**
 * `timing` null: statements may take as long as they need; `names` null: none is planned ahead. `onOutOfReach` is called
 * whenever the server turns out to be that.
 */
export function openPool(
  url: string,
  max: number,
  timing: PostgresTiming | null,
  names: StatementNames | null,
  onOutOfReach: () => void = () => {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 1_500,
    maxLifetimeSeconds,
    ...keepAlive,
    ...(timing === null ? {} : { statement_timeout: timing.statementMs, query_timeout: timing.silenceMs }),
    types: { getTypeParser: parserFor },
  });
  // A connection that breaks is replaced at the next use: an idle one tells the pool, one in use tells its client as
  // well as the statement, and an error that nobody hears would end the process.
  pool.on('error', () => {});
  const watch = timing && {
    isThere: createPulse(url, timing.pulseMs),
    patienceMs: timing.patienceMs,
    onOutOfReach,
  };
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (names) nameStatements(client, names);
    endWhenSilent(client, watch);
  });
  return pool;
}

/** For the announcements: a line that waits, tried now and then. */
export function openLine(url: string, { silenceMs }: PostgresTiming): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_500,
    query_timeout: silenceMs,
    ...keepAlive,
  });
  // What breaks the line also ends it, which whoever opened it listens to.
  client.on('error', () => {});
  endWhenSilent(client, null);
  return client;
}

/** How a statement is watched whose answer takes long. */
interface Watch {
  readonly isThere: () => Promise<boolean>;
  readonly patienceMs: number;
  readonly onOutOfReach: () => void;
}

/**
 * pg answers a silent statement with an error and keeps the connection, on which the next one would wait as long. Here
 * the connection ends with it; and, where it is watched, as soon as the server turns out to be out of reach.
 */
function endWhenSilent(client: pg.Client | pg.PoolClient, watch: Watch | null): void {
  // With a statement under way it closes the socket at once, and the pool takes it back no more. (Its clients are
  // pg.Client, whatever their type says.)
  const end = () => void (client as pg.Client).end().catch(() => {});
  const query = client.query.bind(client) as (...words: unknown[]) => unknown;
  const watched = (...words: unknown[]) => {
    const result = query(...words);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && silence.test(error.message)) end();
      });
      if (watch) watchOver(result, watch, end);
    }
    return result;
  };
  // Its overloads are those of the function it stands for.
  client.query = watched as typeof client.query;
}

/** Calls `giveUp` when the server is out of reach while the statement has no answer; one that is slow is waited for. */
function watchOver(
  statement: Promise<unknown>,
  { isThere, patienceMs, onOutOfReach }: Watch,
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
    const there = await isThere();
    if (answered) return;
    if (there) timer = wait();
    else {
      onOutOfReach();
      giveUp();
    }
  }
}
