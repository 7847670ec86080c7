import { majorOf } from './find-browser.ts';

const dayMs = 86_400_000;
/**
 * The release day of Chromium 153. Until then a version took four weeks, since then two (Chromium's release
 * calendar).
 */
const known = { major: 153, at: Date.UTC(2026, 8, 8), daysBefore: 28, daysSince: 14 };

/**
 * After this time a browser counts as old. Chromium has a release every two weeks; distributions and
 * npm packages take longer.
 */
const oldDays = 60;

/** Returns whether holes that were fixed since its release are well known. False for an unknown version. */
export function isOldBrowser(version: string | null, now: number): boolean {
  return (browserAgeDays(version, now) ?? 0) > oldDays;
}

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
