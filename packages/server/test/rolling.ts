import { setTimeout as pause } from 'node:timers/promises';
import { rawRequest } from './raw-http.ts';
import type { RoundRobin } from './round-robin.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const askMs = 100;

/** Two nodes behind a proxy that polls their readiness, as load balancers do. */
export interface RollingNodes {
  readonly proxy: RoundRobin;
  /** Returns the current ports of the nodes. */
  ports(): readonly number[];
  /** Restarts the nodes gracefully, one after the other. */
  restartAll(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the nodes with these settings. */
export async function startRolling(
  proxy: RoundRobin,
  environment: Record<string, string>,
): Promise<RollingNodes> {
  const nodes: ServerProcess[] = [];
  let isOver = false;
  const ports: (number | null)[] = [null, null];

  async function start(at: number): Promise<void> {
    const settings = { DRAIN_SECONDS: '5', ...environment, PORT: '0' };
    const node = await startServerProcess(settings, { role: 'serve' });
    nodes[at] = node;
    while ((await readinessOf(node.listeningPort)) !== 'ok') await pause(askMs);
    ports[at] = node.listeningPort;
    proxy.set(at, node.listeningPort);
  }

  async function watch(at: number): Promise<void> {
    while (!isOver) {
      const port = ports[at] ?? null;
      // Only `closing` counts: a busy node is not ready either, and on a busy machine both may be so at once.
      if (port !== null && (await readinessOf(port)) === 'closing' && ports[at] === port) {
        // The proxy sends it no more requests, so it ends sooner.
        ports[at] = null;
        proxy.set(at, null);
      }
      await pause(askMs);
    }
  }

  await Promise.all([start(0), start(1)]);
  const watching = [watch(0), watch(1)];
  return {
    proxy,
    ports: () => nodes.map(({ listeningPort }) => listeningPort),
    async restartAll() {
      for (const at of [0, 1]) {
        await nodes[at]?.end('SIGTERM');
        await start(at);
      }
    },
    async close() {
      isOver = true;
      await Promise.all(watching);
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    },
  };
}

/** Returns a node's readiness; null if it does not answer. */
async function readinessOf(port: number): Promise<string | null> {
  const answer = await rawRequest(port, `http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.json().status ?? null;
}
