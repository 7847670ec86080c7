import { readFile } from 'node:fs/promises';

const pageBytes = 4_096;

/**
 * Resident memory of a process that is not shared with others; 0 for one that has ended, and where the system has no
 * /proc to read it from.
 */
export async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return (resident - shared) * pageBytes;
}
