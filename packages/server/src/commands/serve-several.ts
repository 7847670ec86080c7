import cluster from 'node:cluster';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from '../config.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { createLog, handedOver } from '../platform/log.ts';
import { neverBlocking } from '../platform/log-stream.ts';
import { Crew } from '../platform/processes/crew.ts';
import { relayLines } from '../platform/processes/line-relay.ts';
import { shareOf } from '../platform/processes/shares.ts';
import { lastLinesMs } from './close-service.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { onEndSignal, passOverSignals } from './end-signals.ts';
import { handOf } from './hand-of.ts';

export interface Several {
  readonly role: 'all' | 'serve';
  readonly config: Config;
  readonly processes: number;
}

/** Runs the service in several processes that are one server (docs/decisions/0023). */
export async function serveSeveral({ role, config, processes }: Several): Promise<void> {
  const log = createLog(config);
  const port = config.PORT === 0 ? await freePort(config.HOST) : config.PORT;
  const address = readConfig({ ...process.env, PORT: String(port) }).BASE_URL;
  const sink = neverBlocking(process.stdout, (dropped) =>
    log.warn({ dropped }, 'log lines dropped: nobody read them'),
  );
  // The path of this very program: a worker that is replaced later runs the same one, whatever is installed
  // by then.
  const exec = fileURLToPath(new URL('../main.ts', import.meta.url));
  // With cluster's own scheduling, a connection that was handed to a worker that is then killed would stay
  // open forever.
  if (process.env.NODE_CLUSTER_SCHED_POLICY === undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec, args: [role], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const crew = new Crew({
    processes,
    runsJobs: role === 'all',
    clock: systemClock,
    log,
    fork() {
      const worker = cluster.fork({ ...compileCache(), ...shareOf(config, processes), PORT: String(port) });
      if (worker.process.stdout) relayLines(worker.process.stdout, sink);
      return handOf(worker);
    },
  });
  onEndSignal({
    end(signal) {
      log.info({ signal }, 'closing');
      void crew.end(signal === 'SIGTERM' ? config.DRAIN_SECONDS : 0);
    },
    endAtOnce() {
      crew.kill();
      process.exit(1);
    },
  });
  passOverSignals(log);
  void crew.ended.then(async (code) => {
    await handedOver(log, lastLinesMs);
    process.exit(code);
  });
  await crew.start();
  if (!crew.isEnding) log.info({ role, address, port, processes }, 'ready');
  keepCompiledCode();
}

/**
 * Returns the variable for the cache of compiled code, so that workers use the same cache as this process.
 */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Returns a free port. Cluster's workers share a port by its number, so 0 would not do. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
