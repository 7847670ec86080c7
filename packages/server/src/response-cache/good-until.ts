/** How long an answer may lack what is not announced, such as plays that were counted. */
const keptMs = 10_000;
const dayMs = 86_400_000;

/** Until when an answer of now is good where nothing changes: a day's end, in UTC, begins other rankings. */
export function goodUntil(now: number): number {
  return Math.min(now + keptMs, (Math.floor(now / dayMs) + 1) * dayMs);
}
