import { setPriority } from 'node:os';

const niceness = 5;

/** Gives a process a lower priority than the service, which answers requests. */
export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended.
  }
}
