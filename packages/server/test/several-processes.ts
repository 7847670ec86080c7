import { type ServerProcess, startServerProcess } from './server-process.ts';
import { startService, type TestService } from './service.ts';

export const onPostgres = process.env.TEST_ENGINE === 'postgres';
/** Why a test of several processes does not run here; false where it does. */
export const skip = onPostgres ? false : 'SQLite serves one process; several are what PostgreSQL is for';

/** What a process of the server logs. */
export interface LogLine {
  readonly msg: string;
  readonly process?: number;
  readonly pid?: number;
  readonly path?: string;
  readonly status?: number;
}

export interface Several {
  readonly server: ServerProcess;
  /** Reads and prepares data; it runs beside the server, as a node that is asked nothing. */
  readonly test: TestService;
  readonly lines: readonly LogLine[];
  /** Resolves with the first line, of those there are and those that come, that is wanted. */
  logged(isWanted: (line: LogLine) => boolean): Promise<LogLine>;
}

/** A server of two real processes on PostgreSQL, for as long as `use` takes. */
export async function withSeveral(
  use: (several: Several) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const test = await startService({ role: 'serve' });
  const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = test.service.config;
  const lines: LogLine[] = [];
  const looks = new Set<() => void>();
  try {
    const server = await startServerProcess(
      {
        ...test.environment,
        ...{ BASE_URL, PLAY_HOST, PREVIEW_HOST },
        ...{ PORT: '0', PROCESSES: '2', LOG_LEVEL: 'info', DATABASE_CONNECTIONS: '12' },
        ...environment,
      },
      {
        onLine(text) {
          // A person at a terminal is told something too.
          if (!text.startsWith('{')) return;
          lines.push(JSON.parse(text));
          for (const look of looks) look();
        },
      },
    );
    try {
      await use({
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
      });
    } finally {
      await server.end();
    }
  } finally {
    await test.close();
  }
}
