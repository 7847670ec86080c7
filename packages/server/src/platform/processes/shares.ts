import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';

/** With fewer connections, a process would wait for itself: for jobs, for a group commit, for reads. */
const leastConnections = 4;

/** Returns how many processes the setting asks for. */
export function processesOf(
  { PROCESSES }: Pick<Config, 'PROCESSES'>,
  cores = availableParallelism(),
): number {
  return PROCESSES === 'auto' ? cores : PROCESSES;
}

/** Returns the share of each process in the server's settings, as settings. */
export function shareOf(config: Config, processes: number): Record<string, string> {
  const part = (whole: number) => String(Math.floor(whole / processes));
  return {
    SERVING_CACHE_BYTES: part(config.SERVING_CACHE_BYTES),
    RESPONSE_CACHE_BYTES: part(config.RESPONSE_CACHE_BYTES),
    DATABASE_CONNECTIONS: String(
      Math.max(leastConnections, Math.floor(config.DATABASE_CONNECTIONS / processes)),
    ),
  };
}
