import type { Platform } from '../context.ts';
import { findSetting, swapSetting } from '../db/swapped-setting.queries.ts';
import { toTimestamp } from './clock.ts';

/** The setting with the last instant at which the clock was believed, and the instant to which it leapt since then. */
const settingName = 'believed_clock';
/** A service that was off for less goes on at once. */
const leapMs = 86_400_000;
/** How long the clock has to run on after a leap until it is believed. */
const proofMs = 86_400_000;

/**
 * Returns a function that tells whether the clock may decide what is old enough to be deleted for good. After a leap of
 * more than a day, which is a wrong clock or a service that was off for as long, it may in a day: until then somebody
 * can put the clock right. Call it more often than once a day.
 */
export function createLeapGuard({
  database,
  clock,
  log,
}: Pick<Platform, 'database' | 'clock' | 'log'>): () => Promise<boolean> {
  return async () => {
    const now = clock.now();
    const before = await findSetting(database.db, settingName);
    const [believed = now, leapt = null] = (before?.split(' ') ?? []).map(Number);
    const isPlain = now - believed <= leapMs;
    // A clock that was put back, though not as far as it belongs, has leapt to there.
    const isNewLeap = !isPlain && (leapt === null || now < leapt);
    const isProven = !isPlain && !isNewLeap && now - (leapt ?? now) >= proofMs;
    const after =
      isPlain || isProven ? String(now) : isNewLeap ? `${believed} ${now}` : `${believed} ${leapt}`;
    // Another worker may have written first: the next call sees it.
    if (after !== before) await swapSetting(database.db, settingName, before, after);
    if (isNewLeap)
      log.warn(
        `The clock says ${toTimestamp(now)}, and the service was last used at ${toTimestamp(believed)}. If the clock is wrong, set it: what is old by it is deleted from ${toTimestamp(now + proofMs)} on.`,
      );
    return isPlain || isProven;
  };
}
