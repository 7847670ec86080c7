const maxBackOffMs = 60_000;

/** Returns how long to wait after so many failures in a row. */
export function backOffMs(failures: number): number {
  return Math.min(maxBackOffMs, 500 * 2 ** failures);
}
