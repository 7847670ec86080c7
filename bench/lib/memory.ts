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
