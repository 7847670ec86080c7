import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Returns a process's memory in MB (1,000,000 bytes) on Linux: now, and the peak since the last `forgetPeak`.
 */
export function memoryOf(pid: number): { nowMB: number; peakMB: number } {
  return { nowMB: megabytesOf(pid, 'VmRSS'), peakMB: megabytesOf(pid, 'VmHWM') };
}

/**
 * Returns the memory of a process and of those that it has started, in MB. Pages of files count for the first
 * only: the others run the same program, and share them.
 */
export function memoryOfAll(pid: number): number {
  const sum = descendants(pid).reduce((sum, each) => {
    try {
      return sum + megabytesOf(each, 'RssAnon');
    } catch {
      // The process ended meanwhile.
      return sum;
    }
  }, 0);
  return sum + megabytesOf(pid, 'VmRSS');
}

const lookMs = 50;

/** Watches the memory of a process and of those that it starts. `stop` returns the most that was seen, in MB. */
export function watchMemoryOfAll(pid: number): { stop(): number } {
  forgetPeak(pid);
  let most = 0;
  const look = () => {
    most = Math.max(most, memoryOfAll(pid));
  };
  const looks = setInterval(look, lookMs);
  return {
    stop() {
      clearInterval(looks);
      look();
      return Math.max(most, memoryOf(pid).peakMB);
    },
  };
}

function megabytesOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'mu').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`/proc gives no ${name}`);
  return (Number(kibibytes) * 1024) / 1e6;
}

function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children.filter(Boolean).map(Number);
  } catch {
    // The process ended meanwhile.
    return [];
  }
}

/** Resets the peak (proc(5), clear_refs). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the CPU time of a process and its children, for a server of several processes. */
export function cpuSecondsOfAll(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuSecondsOf(each), 0);
}

/**
 * Returns the CPU time of a process and all its descendants, including ended ones; 0 if the process itself
 * has ended.
 */
export function cpuSecondsBelow(pid: number): number {
  try {
    const own = statOf(pid);
    // In ticks: utime and stime, and those of ended children.
    const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsBelow(child), ticks / 100);
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
