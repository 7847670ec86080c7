import { ApiError, ConnectionError, notTheServiceCode } from './api-error.ts';
import type { ProgressMeter } from './progress.ts';
import { backoffMs, type RetryPolicy, sleep } from './retry.ts';

interface LostLineOptions {
  readonly retry: RetryPolicy;
  readonly meter: ProgressMeter;
  readonly signal: AbortSignal | undefined;
}

/** The answers of a gateway that does not reach the service, as while that restarts. */
const awayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

function isLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && error.code === notTheServiceCode && awayStatuses.has(error.status);
}

/**
 * Repeats `action` while no answer of the service comes, until it has failed for `lostLineMs`. Meanwhile the progress says
 * that the line is lost.
 */
export async function overLostLine<T>(
  action: () => Promise<T>,
  { retry, meter, signal }: LostLineOptions,
): Promise<T> {
  let lostAtMs: number | undefined;
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await action();
      } catch (error) {
        if (!isLost(error)) throw error;
        if (lostAtMs === undefined) {
          lostAtMs = performance.now();
          meter.lineLost();
        }
        if (performance.now() - lostAtMs >= retry.lostLineMs) throw error;
        await pause(backoffMs(tries, retry), signal);
      }
    }
  } finally {
    if (lostAtMs !== undefined) meter.lineFound();
  }
}

/** Sleeps, but not longer than until the browser is online again. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const ended = new AbortController();
  const waits = [sleep(ms, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal)];
  // Node has no such event.
  if ('addEventListener' in globalThis) {
    const online = new Promise<void>((resolve) => {
      addEventListener('online', () => resolve(), { signal: ended.signal });
    });
    waits.push(online);
  }
  try {
    await Promise.race(waits);
  } finally {
    ended.abort();
  }
}
