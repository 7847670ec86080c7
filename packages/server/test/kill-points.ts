import { createInterface } from 'node:readline';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** A server process that ends itself with SIGKILL before its n-th write once it is armed. */
export function startToBeKilled(environment: Record<string, string>, point: number): Promise<ServerProcess> {
  const preload = new URL('./kill-at-write.ts', import.meta.url);
  return startServerProcess({ ...environment, LOG_LEVEL: 'info', KILL_AT: String(point) }, { preload });
}

/** From here on its writes count; resolves when they do. */
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
