import { readFileSync } from 'node:fs';

/** As Linux counts them for /proc, on every machine of today. */
const ticksPerSecond = 100;
/** Of the numbers behind the name, which stands in parentheses and may have spaces in it. */
const [childrenUser, childrenSystem] = [13, 14];

/**
 * Returns how many seconds of processor the children took that have ended since the last call, with what they themselves
 * started and waited for. Null where there is no /proc.
 */
export function processorMeter(): () => number | null {
  let before = childrenTicks() ?? 0;
  return () => {
    const now = childrenTicks();
    if (now === null) return null;
    const seconds = (now - before) / ticksPerSecond;
    before = now;
    return seconds;
  };
}

function childrenTicks(): number | null {
  try {
    const text = readFileSync('/proc/self/stat', 'latin1');
    const numbers = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return (numbers[childrenUser] ?? 0) + (numbers[childrenSystem] ?? 0);
  } catch {
    return null;
  }
}
