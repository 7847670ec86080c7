/**
 * Runs `work` for every item, `width` at a time. After the first failure, of the work or of the list, no more
 * begin; it rejects once those under way have ended.
 */
export async function sideBySide<T>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  try {
    for await (const item of items) {
      if (failure) break;
      const run: Promise<void> = work(item)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(run));
      running.add(run);
      if (running.size >= width) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  if (failure) throw (failure as { error: unknown }).error;
}
