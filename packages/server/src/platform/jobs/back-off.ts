const maxBackOffMs = 60_000;

/** Returns how long to wait after so many failures in a row. */
export function backOffMs(failures: number): number {
  return Math.min(maxBackOffMs, 500 * 2 ** failures);
}

/** The failures after which a job is given up: a number, or one that depends on the last failure. */
export type MostAttempts = number | ((error: unknown) => number);

export function isLastAttempt(attempts: number, most: MostAttempts, error: unknown): boolean {
  return attempts >= (typeof most === 'number' ? most : most(error));
}
