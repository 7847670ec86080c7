import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Set in a test process; whatever it starts inherits it, also what has left its process group. */
export const runMark = 'SPACEPORT_TEST_RUN';

/** Kills what is left of a process group, by the id of the process that led it. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

/**
 * Kills every process whose environment carries the mark. Needs /proc: elsewhere a test's own children end by
 * themselves or not at all.
 */
export function killMarked(mark: string): number {
  let killed = 0;
  for (const name of listProcesses()) {
    const pid = Number(name);
    if (pid === process.pid || !environmentOf(pid).includes(`${runMark}=${mark}`)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // It ended between our look and the signal.
    }
  }
  return killed;
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    // It has ended, or is another user's.
    return '';
  }
}
