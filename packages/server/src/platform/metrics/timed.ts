/** How something ended that was waited for: with what it was to answer, or with an error. */
export type Ended = { readonly isOk: true } | { readonly isOk: false; readonly error: unknown };

/** What `work` answers; how long it took, and how it ended, is told first. */
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
