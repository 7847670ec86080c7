import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Returns a process's memory in MB (1,000,000 bytes) on Linux: now, and the peak since the last `forgetPeak`.
 */
export function memoryOf(pid: number): { nowMB: number; peakMB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(status)?.[1];
    if (kibibytes === undefined) throw new Error(`/proc gives no ${name}`);
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { nowMB: field('VmRSS'), peakMB: field('VmHWM') };
}

/** Resets the peak (proc(5), clear_refs). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the CPU time of a process and its children, for a server of several processes. */
export function cpuSecondsOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  return pids.reduce((sum, each) => sum + cpuSecondsOf(each), 0);
}

/**
 * Returns the CPU time of a process and all its descendants, including ended ones; 0 if the process itself
 * has ended.
 */
export function cpuSecondsBelow(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const own = statOf(pid);
    // In ticks: utime and stime, and those of ended children.
    const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return children.filter(Boolean).reduce((sum, child) => sum + cpuSecondsBelow(Number(child)), ticks / 100);
  } catch {
    // The process ended meanwhile.
    return 0;
  }
}

/**
 * Returns a process's CPU time since its start, in seconds (proc(5), stat: utime and stime in ticks of 10
 * ms).
 */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the fields after the program's name, which is in parentheses and may have any characters. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
