import type { Service } from '../app.ts';
import { handedOver } from '../platform/log.ts';
import type { EndSignal } from './end-signals.ts';

/** How long a slow reader of the log gets for the last lines. */
export const lastLinesMs = 1_000;

/** Closes a service and writes the rest of its log. Returns the exit code of the process. */
export async function closeService(
  { close, platform: { log } }: Service,
  drainSeconds: number,
): Promise<number> {
  const code = await close({ drainSeconds }).then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'not closed cleanly');
      return 1;
    },
  );
  await handedOver(log, lastLinesMs);
  return code;
}

/**
 * Returns the time for kept-alive connections, in seconds: only after SIGTERM. At SIGINT a person at a terminal waits,
 * and at SIGHUP the terminal is gone.
 */
export function drainOf(signal: EndSignal, { config }: Pick<Service, 'config'>): number {
  return signal === 'SIGTERM' ? config.DRAIN_SECONDS : 0;
}
