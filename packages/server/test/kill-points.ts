import { createInterface } from 'node:readline';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * Which of these ends a test looks at: each on SQLite, and every second on PostgreSQL, whose own end of a
 * transaction it is that counts there. Every one of both by `KILL_POINTS=all`.
 */
export function chosenPoints(points: readonly number[]): number[] {
  const isAll = process.env.TEST_ENGINE !== 'postgres' || process.env.KILL_POINTS === 'all';
  return points.filter((_, index) => isAll || index % 2 === 0);
}

/** Starts a server process that, once armed, kills itself before its n-th write. */
export function startToBeKilled(environment: Record<string, string>, point: number): Promise<ServerProcess> {
  return startCounting(environment, { KILL_AT: String(point) });
}

/** Starts a server process that, once armed, copies its data to `folder` before each write. */
export function startWithSnapshots(
  environment: Record<string, string>,
  folder: string,
): Promise<ServerProcess> {
  return startCounting(environment, { SNAPSHOTS: folder });
}

function startCounting(environment: Record<string, string>, more: Record<string, string>) {
  const preload = new URL('./kill-at-write.ts', import.meta.url);
  return startServerProcess({ ...environment, LOG_LEVEL: 'info', ...more }, { preload });
}

/** Arms the process. Resolves when its writes are counted. */
export async function arm(server: ServerProcess): Promise<void> {
  const lines = createInterface({ input: server.child.stdout ?? process.stdin });
  const armed = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line === '{"msg":"armed"}') resolve();
    });
  });
  server.child.kill('SIGUSR2');
  await armed;
}
