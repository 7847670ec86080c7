import { majorOf } from './find-browser.ts';

const dayMs = 86_400_000;
/** Chromium 153 came out on this day. Before it a version took four weeks, since then two (Chromium's release calendar). */
const known = { major: 153, at: Date.UTC(2026, 8, 8), daysBefore: 28, daysSince: 14 };

/**
 * How many days ago the browser's version came out, by Chromium's calendar: true to a week or two, and all that can be
 * known without asking anyone. Null for an unknown version.
 */
export function browserAgeDays(version: string | null, now: number): number | null {
  const major = majorOf(version);
  if (!(major > 0)) return null;
  const ahead = major - known.major;
  const releasedAt = known.at + ahead * (ahead > 0 ? known.daysSince : known.daysBefore) * dayMs;
  return Math.max(0, Math.floor((now - releasedAt) / dayMs));
}
