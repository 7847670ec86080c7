import type { CDPSession } from 'playwright-core';
import { lowerPriority } from '../../low-priority.ts';
import { privateBytes } from '../../process-memory.ts';

const lookMs = 500;

/**
 * Looks at the browser's processes twice a second: lowers their priority, adds up their memory, and calls
 * `onOver` once when it is too much. Systems without /proc tell no memory: there the browser's own limits
 * must do.
 */
export function watchProcesses(session: CDPSession, maxBytes: number, onOver: () => void) {
  let peakBytes = 0;
  let lastBytes = 0;
  let isLooking = false;
  const look = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    for (const { id } of processInfo) lowerPriority(id);
    const sizes = await Promise.all(processInfo.map(({ id }) => privateBytes(id)));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    peakBytes = Math.max(peakBytes, bytes);
    lastBytes = bytes;
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
  return { stop, peakBytes: () => peakBytes, lastBytes: () => lastBytes };
}
