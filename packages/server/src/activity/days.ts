const dayMs = 86_400_000;

/** Returns the UTC day of an instant: `2026-11-21`. */
export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Returns the start of a UTC day in epoch milliseconds. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** Returns `count` days in a row up to `last`, oldest first. */
export function daysUntil(last: string, count: number): string[] {
  const end = startOf(last);
  return Array.from({ length: count }, (_, at) => dayOf(end - (count - 1 - at) * dayMs));
}
