/** The only source of the time: instants are integer milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** How far a test has moved it ahead of the machine's clock, in milliseconds. */
  movedMs(): number;
}

/** Clocks of nodes differ by seconds. A stored instant further ahead is of a clock that was wrong. */
export const mostAheadMs = 60_000;

export const systemClock: Clock = { now: () => Date.now(), movedMs: () => 0 };

const dayMs = 86_400_000;
/** Days of recent instants, as `2026-01-31T`. */
const knownDays = new Map<number, string>();
const mostDays = 1_000;
const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/**
 * Returns an instant as the API writes it: ISO 8601, UTC, with milliseconds. A list has many: the day is looked up,
 * because `toISOString` takes three times as long.
 * @throws RangeError as `toISOString` does
 */
export function toTimestamp(instant: number): string {
  const at = Math.trunc(instant);
  const day = Math.floor(at / dayMs);
  const ms = at - day * dayMs;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}`;
  return `${knownDays.get(day) ?? learnDay(day)}${clock}.${String(ms % 1_000).padStart(3, '0')}Z`;
}

function learnDay(day: number): string {
  if (knownDays.size >= mostDays) knownDays.clear();
  const text = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  knownDays.set(day, text);
  return text;
}
