import { readFileSync, writeFileSync } from 'node:fs';

/** A process's memory in MB (1,000,000 bytes), by Linux: now, and the most since the last `forgetPeak`. */
export function memoryOf(pid: number): { nowMB: number; peakMB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(status)?.[1];
    if (kibibytes === undefined) throw new Error(`/proc gives no ${name}`);
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { nowMB: field('VmRSS'), peakMB: field('VmHWM') };
}

/** From here on the peak is counted anew (proc(5), clear_refs). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The same of a process and its children: of a server of several processes. */
export function cpuSecondsOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  return pids.reduce((sum, each) => sum + cpuSecondsOf(each), 0);
}

/** The same of a process and all that it started, and those, also of what has ended: 0 where the process itself has. */
export function cpuSecondsBelow(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const own = statOf(pid);
    // In ticks: utime and stime, and those of the children that it has waited for.
    const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return children.filter(Boolean).reduce((sum, child) => sum + cpuSecondsBelow(Number(child)), ticks / 100);
  } catch {
    // It ended while it was looked at.
    return 0;
  }
}

/** CPU time that a process has taken since its start, in seconds (proc(5), stat: utime and stime in ticks of 10 ms). */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** What follows the program's name in parentheses, which may hold anything. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
