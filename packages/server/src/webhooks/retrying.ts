/** When an event that did not arrive is sent again. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** An event is tried for so long. */
export const triedForMs = 24 * hour;

/** The wait after the first attempt, the second, …; after all of them the last again. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/** A wait is so much longer or shorter, so that a receiver that was away is not met by everything at once. */
const jitter = 0.1;

/**
 * When to try an event next that failed now, the last time at the end of its day; null once that is over.
 * @param attempts those that failed, this one too
 * @param since when it was to be sent first
 * @param chance from 0 to 1: where in the range of the wait
 */
export function nextAttemptAt(
  { attempts, since }: { readonly attempts: number; readonly since: number },
  now: number,
  chance: number,
): number | null {
  const end = since + triedForMs;
  if (now >= end) return null;
  const wait = waitsMs[Math.min(attempts, waitsMs.length) - 1] ?? 0;
  return Math.min(end, Math.round(now + wait * (1 - jitter + 2 * jitter * chance)));
}

const longestPauseMs = 5 * minute;
/** An answer that takes longer is slow. */
const slowMs = 2 * second;

/**
 * How long a webhook is left alone, whatever waits for it: longer with each failure in a row, and after a slow answer as
 * long as it took, so that it holds others up for half of the time at most.
 * @param ms how long the last attempt took
 */
export function pauseMs({ failures, ms }: { readonly failures: number; readonly ms: number }): number {
  const afterFailure = failures === 0 ? 0 : second * 2 ** Math.min(failures, 20);
  return Math.min(longestPauseMs, Math.max(afterFailure, ms > slowMs ? ms : 0));
}
