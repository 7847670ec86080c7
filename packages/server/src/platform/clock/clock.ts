/** The only source of the time: instants are integer milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Returns an instant as the API writes it: ISO 8601, UTC, with milliseconds. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}
