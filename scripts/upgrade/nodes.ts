import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { openRoundRobin, type RoundRobin } from '../../packages/server/test/round-robin.ts';
import { type ServerProcess, startServerProcess } from '../../packages/server/test/server-process.ts';

/** A node and its program. */
export interface Node {
  readonly main: string;
  /** Its index at the balancer. */
  readonly seat: number;
}

/** Nodes of several versions on one database and one store, behind a balancer. */
export interface MixedNodes {
  readonly proxy: RoundRobin;
  readonly baseUrl: string;
  /** Wrong answers that clients got. */
  readonly wrongs: readonly string[];
  /** Calls `admin` or `migrate` with the program `main`. */
  call(main: string, ...args: string[]): Promise<string>;
  /** Starts a node, and adds it to the balancer. */
  start(node: Node): Promise<number>;
  /** Kills a node, like a machine that is switched off. The balancer has to notice. */
  kill(node: Node): Promise<void>;
  /** Ends a node gracefully: the balancer sends it no more requests. */
  end(node: Node): Promise<void>;
  close(): Promise<void>;
}

/** No limits by address, because all clients here have one address. */
const noLimits = {
  PUBLISHES_PER_HOUR: '100000',
  CHECKS_PER_HOUR: '100000',
  WAITING_CHECKS: '1000',
  SAVES_PER_MINUTE: '100000',
  PLAYER_SCORES_PER_MINUTE: '100000',
};

export async function openMixedNodes(databaseUrl: string, storeUrl: string): Promise<MixedNodes> {
  const wrongs: string[] = [];
  const proxy = await openRoundRobin(({ method, host, path, status, retryAfter }) => {
    if (status >= 500 && (status !== 503 || retryAfter === undefined))
      wrongs.push(`${method} ${host}${path}: ${status}`);
  });
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-upgrade-'));
  const environment = {
    ...noLimits,
    PORT: '0',
    BASE_URL: `http://localhost:${proxy.port}`,
    PLAY_HOST: `play.localhost:${proxy.port}`,
    PREVIEW_HOST: `temp.localhost:${proxy.port}`,
    DATABASE_URL: databaseUrl,
    BLOB_STORE: storeUrl,
    BROWSER: 'none',
  };
  const running = new Map<Node, ServerProcess>();
  return {
    proxy,
    baseUrl: environment.BASE_URL,
    wrongs,
    async call(main, ...args) {
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, NODE_NO_WARNINGS: '1', ...environment, DATA_DIR: join(folder, 'admin') };
      return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout;
    },
    async start(node) {
      const settings = { ...environment, DATA_DIR: join(folder, String(node.seat)) };
      const started = await startServerProcess(settings, { main: node.main });
      running.set(node, started);
      proxy.set(node.seat, started.listeningPort);
      return started.listeningPort;
    },
    async kill(node) {
      await running.get(node)?.end('SIGKILL');
    },
    async end(node) {
      proxy.set(node.seat, null);
      await running.get(node)?.end('SIGTERM');
    },
    async close() {
      for (const each of running.values()) await each.end('SIGKILL');
      await proxy.close();
    },
  };
}
