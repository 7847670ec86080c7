/** How long a response may lack changes that are not announced, such as counted plays. */
export const keptMs = 10_000;
const dayMs = 86_400_000;

/**
 * Returns until when a response made now may be kept if nothing changes. It ends with the day (UTC), when new
 * rankings begin.
 */
export function goodUntil(now: number): number {
  return Math.min(now + keptMs, (Math.floor(now / dayMs) + 1) * dayMs);
}
