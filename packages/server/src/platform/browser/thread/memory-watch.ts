import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';

const lookMs = 500;
const pageBytes = 4_096;

/**
 * Looks twice a second how much memory the browser's processes hold, and calls `onOver` once when it is too much.
 * Where the system has no /proc nothing is watched: there the browser's own limits have to do.
 */
export function watchMemory(session: CDPSession, maxBytes: number, onOver: () => void) {
  let peakBytes = 0;
  let isLooking = false;
  const look = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sizes = await Promise.all(processInfo.map(({ id }) => privateBytes(id)));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    peakBytes = Math.max(peakBytes, bytes);
    if (bytes > maxBytes) {
      stop();
      onOver();
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  const stop = () => clearInterval(timer);
  return { stop, peakBytes: () => peakBytes };
}

/** Resident memory that is not shared with other processes; 0 for one that has ended. */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return (resident - shared) * pageBytes;
}
