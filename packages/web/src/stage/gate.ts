/** What comes in within a second is let in, refused, or so much that whoever sends it is not listened to any more. */
export type Passage = 'in' | 'over' | 'flood';

export interface GateLimits {
  /** Let in within one second. */
  readonly most: number;
  /** More than so many within one second, refused ones too, is a flood. */
  readonly flood: number;
}

/** Counts over the second that has just passed. `now` in milliseconds, never going back. */
export function createGate({ most, flood }: GateLimits, now: () => number): () => Passage {
  // When those that were let in came, the oldest first; never longer than `most`.
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
