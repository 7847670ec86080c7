/**
 * The decision about a message: `taken` is let through now or soon, `over` the limit is refused, and after a
 * `flood` the sender is ignored.
 */
export type Passage = 'taken' | 'over' | 'flood';

export interface GateLimits {
  /** Messages let through in any second. */
  readonly most: number;
  /** Messages that may wait for their turn, at least one. More are refused. */
  readonly waiting: number;
  /** More messages than this per second, including refused ones, are a flood. */
  readonly flood: number;
}

export interface Gate {
  /**
   * Decides about a message that has arrived. `read` is called if it is taken, and returns what is done when it
   * is let through.
   */
  take(read: () => () => void): Passage;
  /** Drops the messages that wait. */
  close(): void;
}

/**
 * Lets messages through in their order, at most `most` in any second. The sender may have kept that limit
 * although more arrive in a second: those that came while the page was busy arrive together. So a few may wait.
 * `now` returns milliseconds of a clock that never goes back.
 */
export function createGate({ most, waiting, flood }: GateLimits, now: () => number): Gate {
  /** Times of the last messages that were let through, the oldest first; at most `most` of them. */
  let letThrough: number[] = [];
  let late: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let second = Number.NEGATIVE_INFINITY;
  let inSecond = 0;

  function isFlood(): boolean {
    const at = now();
    if (at - second >= 1_000) {
      second = at;
      inSecond = 0;
    }
    inSecond += 1;
    return inSecond > flood;
  }

  /** Returns the milliseconds until the next message may be let through. */
  function waitMs(): number {
    const at = now();
    letThrough = letThrough.filter((time) => at - time < 1_000);
    const [oldest = at] = letThrough;
    return letThrough.length < most ? 0 : oldest + 1_000 - at;
  }

  function letLateThrough(): void {
    clearTimeout(timer);
    timer = undefined;
    while (late.length > 0) {
      const ms = waitMs();
      if (ms > 0) {
        timer = setTimeout(letLateThrough, ms);
        return;
      }
      letThrough.push(now());
      late.shift()?.();
    }
  }

  return {
    take(read) {
      if (isFlood()) return 'flood';
      letLateThrough();
      if (late.length >= waiting) return 'over';
      late.push(read());
      letLateThrough();
      return 'taken';
    },
    close() {
      clearTimeout(timer);
      late = [];
    },
  };
}
