import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';

/** A process that has fewer waits for itself: jobs, a group that commits, reads. */
const leastConnections = 4;

/** How many processes a setting asks for. */
export function processesOf(
  { PROCESSES }: Pick<Config, 'PROCESSES'>,
  cores = availableParallelism(),
): number {
  return PROCESSES === 'auto' ? cores : PROCESSES;
}

/** What each of so many processes may have of what the settings give the server, as settings. */
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
