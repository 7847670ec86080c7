import cluster from 'node:cluster';
import { readConfig } from '../config.ts';
import { processesOf } from '../platform/processes/shares.ts';

/** Runs the service until it is told to end, in as many processes as configured. */
export async function serve(role: 'all' | 'serve' | 'work', environment: NodeJS.ProcessEnv): Promise<void> {
  if (cluster.isWorker) return (await import('./serve-worker.ts')).serveAsWorker(role, environment);
  const config = readConfig(environment);
  const processes = processesOf(config);
  // A worker for jobs is always one process, because jobs have their own concurrency. The primary does not
  // load the service.
  if (role !== 'work' && processes > 1)
    return (await import('./serve-several.ts')).serveSeveral({ role, config, processes });
  return (await import('./serve-alone.ts')).serveAlone(role, environment);
}
