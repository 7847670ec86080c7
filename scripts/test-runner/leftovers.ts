import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * An environment variable of test processes. All processes that a test starts inherit it, even those that
 * have left its process group.
 */
export const runMark = 'SPACEPORT_TEST_RUN';

/** Kills the remaining processes of a process group, by the id of its leader. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has no processes left.
  }
}

/**
 * Kills every process whose environment has the mark. Returns how many were killed. It needs /proc: without
 * it no process is found.
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
      // The process ended before the signal.
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
    // The process has ended, or belongs to another user.
    return '';
  }
}
