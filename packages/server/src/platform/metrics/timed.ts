/** How a call ended: with a result, or with an error. */
export type Ended = { readonly isOk: true } | { readonly isOk: false; readonly error: unknown };

/** Returns the result of `work`. Before that it calls `tell` with the time in seconds and how it ended. */
export async function timed<T>(
  work: () => Promise<T>,
  tell: (seconds: number, ended: Ended) => void,
): Promise<T> {
  const begun = performance.now();
  const toldAs = (ended: Ended) => tell((performance.now() - begun) / 1_000, ended);
  try {
    const answer = await work();
    toldAs({ isOk: true });
    return answer;
  } catch (error) {
    toldAs({ isOk: false, error });
    throw error;
  }
}
