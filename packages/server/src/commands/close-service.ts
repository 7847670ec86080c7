import type { Service } from '../app.ts';
import { handedOver } from '../platform/log.ts';

/** A reader of the log that lags gets this long for the last lines. */
export const lastLinesMs = 1_000;

/** Ends a service and hands its log over. Returns the code that the process ends with. */
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

/** A person at a terminal does not wait for browsers to ask once more. */
export function drainOf(signal: 'SIGTERM' | 'SIGINT', { config }: Pick<Service, 'config'>): number {
  return signal === 'SIGTERM' ? config.DRAIN_SECONDS : 0;
}
