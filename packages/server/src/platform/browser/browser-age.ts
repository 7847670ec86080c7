import { majorOf } from './find-browser.ts';

const dayMs = 86_400_000;
/**
 * The release day of Chromium 153. Until then a version took four weeks, since then two (Chromium's release
 * calendar).
 */
const known = { major: 153, at: Date.UTC(2026, 8, 8), daysBefore: 28, daysSince: 14 };

/**
 * Returns how many days ago the browser's version was released, by Chromium's calendar. It is right to a week
 * or two, which is all that can be known without a request. Null for an unknown version.
 */
export function browserAgeDays(version: string | null, now: number): number | null {
  const major = majorOf(version);
  if (!(major > 0)) return null;
  const ahead = major - known.major;
  const releasedAt = known.at + ahead * (ahead > 0 ? known.daysSince : known.daysBefore) * dayMs;
  return Math.max(0, Math.floor((now - releasedAt) / dayMs));
}
