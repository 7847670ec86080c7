import { readFileSync } from 'node:fs';

/** The unit of times in /proc, the same on all current Linux machines. */
const ticksPerSecond = 100;
/** Indexes of the fields after the name, which is in parentheses and may contain spaces (`man 5 proc`). */
const fields = { own: [11, 12], children: [13, 14] } as const;

/**
 * Returns a function that returns the processor time, in seconds, of the child processes that have ended
 * since its last call. It includes the children that these waited for. Null without /proc.
 */
export function processorMeter(): () => number | null {
  let before = secondsOf('children') ?? 0;
  return () => {
    const now = secondsOf('children');
    if (now === null) return null;
    const seconds = now - before;
    before = now;
    return seconds;
  };
}

/**
 * Returns the processor time, in seconds, that this process and its ended children have taken so far. Null
 * without /proc.
 */
export function processorSoFar(): number | null {
  return secondsOf('own', 'children');
}

function secondsOf(...whose: (keyof typeof fields)[]): number | null {
  try {
    const text = readFileSync('/proc/self/stat', 'latin1');
    const numbers = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = whose.flatMap((each) => fields[each].map((field) => numbers[field] ?? 0));
    return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
  } catch {
    return null;
  }
}
