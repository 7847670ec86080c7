import { askUntil } from './ask-until.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-http.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { startService, type TestService } from './service.ts';
import './several-nodes.ts';

/** A log line of a server process. */
export interface LogLine {
  readonly msg: string;
  readonly process?: number;
  readonly pid?: number;
  readonly path?: string;
  readonly status?: number;
}

export interface Several {
  readonly server: ServerProcess;
  /** A service on the same data that gets no traffic, for reading and preparing data. */
  readonly test: TestService;
  readonly lines: readonly LogLine[];
  /** Resolves to the first matching line, past or future. */
  logged(isWanted: (line: LogLine) => boolean): Promise<LogLine>;
}

/** Runs `use` with a server of two real processes on PostgreSQL. */
export async function withSeveral(
  use: (several: Several) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const several = await startSeveral(environment);
  try {
    await use(several);
  } finally {
    await several.close();
  }
}

/** A server of two real processes on PostgreSQL, until it is closed. */
export async function startSeveral(
  environment: Record<string, string> = {},
): Promise<Several & { close(): Promise<void> }> {
  const test = await startService({ role: 'serve' });
  const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = test.service.config;
  const lines: LogLine[] = [];
  const looks = new Set<() => void>();
  const settings = {
    ...test.environment,
    BASE_URL,
    PLAY_HOST,
    PREVIEW_HOST,
    PORT: '0',
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    DATABASE_CONNECTIONS: '12',
    ...environment,
  };
  const server = await startServerProcess(settings, {
    onLine(text) {
      // A person at a terminal is told something too.
      if (!text.startsWith('{')) return;
      lines.push(JSON.parse(text));
      for (const look of looks) look();
    },
  }).catch(async (error: unknown) => {
    await test.close();
    throw error;
  });
  return {
    server,
    test,
    lines,
    logged: (isWanted) =>
      new Promise((resolve) => {
        const look = () => {
          const found = lines.find(isWanted);
          if (!found) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
      }),
    async close() {
      await server.end();
      await test.close();
    },
  };
}

/** Makes requests on new connections, which either process may get. */
export function asks({ server, test }: Several) {
  return (path: string, options?: RawRequest): Promise<RawAnswer> =>
    rawRequest(server.listeningPort, new URL(path, test.service.config.BASE_URL).href, options);
}

/** Returns which processes answered requests for a path, after that many answers. */
export async function answeredBy(
  { lines, logged }: Several,
  path: string,
  count: number,
): Promise<Set<number>> {
  const found = () => lines.filter((line) => line.msg === 'request' && line.path === path);
  await logged(() => found().length >= count);
  return new Set(found().flatMap((line) => line.process ?? []));
}

/** Enough connections at once that one process seldom accepts all of them. */
const burst = 60;

/**
 * Asks for a path in bursts until both processes have answered: the kernel decides which of them accepts a
 * connection, and may give a whole burst to one. Returns all answers.
 * @param ask makes one request for the path; gets the number of requests before it
 */
export async function askUntilBoth<Answer>(
  several: Several,
  path: string,
  ask: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (;;) {
    const from = answers.length;
    answers.push(...(await Promise.all(Array.from({ length: burst }, (_, index) => ask(from + index)))));
    if ((await answeredBy(several, path, answers.length)).size === 2) return answers;
  }
}

/** Returns the process ids of the first two processes, by number. */
export async function firstPids({ logged }: Several): Promise<[number, number]> {
  const pidOf = async (number: number) =>
    (await logged((line) => line.msg === 'a process is ready' && line.process === number)).pid ?? 0;
  return [await pidOf(1), await pidOf(2)];
}

/** Resolves when a process has ended. */
export async function isGone(pid: number): Promise<void> {
  await askUntil(
    () => isRunning(pid),
    (is) => !is,
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
