import { readFile } from 'node:fs/promises';

const pageBytes = 4_096;

/**
 * Returns the resident memory of a process that is not shared with others, in bytes; 0 if the process has
 * ended, and on systems without /proc.
 */
export async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return (resident - shared) * pageBytes;
}
