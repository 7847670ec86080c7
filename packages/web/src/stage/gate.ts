/**
 * The decision about a message: let `in`, refused as `over` the limit, or a `flood`, whose sender is ignored.
 */
export type Passage = 'in' | 'over' | 'flood';

export interface GateLimits {
  /** Messages let in per second. */
  readonly most: number;
  /** More messages than this per second, including refused ones, are a flood. */
  readonly flood: number;
}

/** Counts over the last second. `now` returns milliseconds of a clock that never goes back. */
export function createGate({ most, flood }: GateLimits, now: () => number): () => Passage {
  // Times of the messages that were let in, the oldest first; at most `most` of them.
  let letIn: number[] = [];
  let second = Number.NEGATIVE_INFINITY;
  let inSecond = 0;
  return () => {
    const at = now();
    if (at - second >= 1_000) {
      second = at;
      inSecond = 0;
    }
    inSecond += 1;
    if (inSecond > flood) return 'flood';
    letIn = letIn.filter((time) => at - time < 1_000);
    if (letIn.length >= most) return 'over';
    letIn.push(at);
    return 'in';
  };
}
