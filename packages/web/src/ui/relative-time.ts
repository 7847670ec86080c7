const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns an instant relative to `now`, both in milliseconds: "in 2 days", "3 minutes ago", "just now". */
export function relativeTime(instant: number, now: number): string {
  const distance = instant - now;
  for (const [unit, size] of steps) {
    // The future is rounded, so that a week that has just begun is seven days, not six.
    const count = distance > 0 ? Math.round(distance / size) : Math.trunc(distance / size);
    if (Math.abs(distance) >= size) return words.format(count, unit);
  }
  return 'just now';
}
