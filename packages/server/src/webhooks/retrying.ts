/** Decides when an event that was not accepted is sent again. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long an event is tried. */
export const triedForMs = 24 * hour;

/** The waits after the first attempt, the second, and so on. The last one is repeated. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/**
 * A wait is longer or shorter by up to this share, so that a receiver that was away does
 * not get everything at once.
 */
const jitter = 0.1;

/**
 * Returns when to try an event again that failed now, in epoch milliseconds. The last try is at the end of
 * its day; null after that.
 * @param attempts the number of failed attempts, including this one
 * @param since when it was to be sent first
 * @param chance a number from 0 to 1, the position in the range of the wait
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
/** An answer that takes longer counts as slow. */
const slowMs = 2 * second;

/**
 * Returns the pause before a webhook is sent anything again, in milliseconds. It grows with each failure in a
 * row. After a slow answer it is as long as that took, so that the webhook uses at most half of the time.
 * @param ms how long the last attempt took
 */
export function pauseMs({ failures, ms }: { readonly failures: number; readonly ms: number }): number {
  const afterFailure = failures === 0 ? 0 : second * 2 ** Math.min(failures, 20);
  return Math.min(longestPauseMs, Math.max(afterFailure, ms > slowMs ? ms : 0));
}
