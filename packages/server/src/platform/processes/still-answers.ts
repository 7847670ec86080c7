/** A worker is looked at this often, and has this long to answer. */
const usualMs = 10_000;
/** A worker is stuck after so many looks in a row. One alone is also missed when the machine has slept. */
const mostMissed = 3;

/**
 * Looks at a worker now and then, until it is stuck or the returned function is called.
 * @param answers asks the worker, and resolves with whether it answered in time
 */
export function watchAnswers(
  answers: (withinMs: number) => Promise<boolean>,
  onStuck: () => void,
  lookMs = usualMs,
): () => void {
  let isOver = false;
  let timer = setTimeout(look, lookMs);
  async function look(): Promise<void> {
    for (let missed = 0; !(await answers(lookMs)); ) {
      if (isOver) return;
      missed++;
      if (missed === mostMissed) return onStuck();
    }
    if (!isOver) timer = setTimeout(look, lookMs);
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
