/** `time`: the browser's time, in UTC. */
export function time(): object {
  const now = new Date();
  return {
    timestamp: Math.floor(now.getTime() / 1_000),
    timezone: 'UTC',
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    day: now.getUTCDate(),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
    second: now.getUTCSeconds(),
  };
}
