import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const niceness = 5;
/** The highest score that a process can have. The service itself has 0. */
const firstToEnd = '1000';

/**
 * Puts a process behind the service, which answers requests: the process gets less of the processor, and when memory
 * runs out, the kernel ends it and not the service. Only Linux has such a score.
 */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/oom_score_adj`, firstToEnd, { flag: 'r+' });
  } catch {
    // It has ended, or this is another system.
  }
}
