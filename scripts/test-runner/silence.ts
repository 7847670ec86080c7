import { statSync } from 'node:fs';

const lookMs = 500;

/**
 * Calls back when the file has not grown for so long; returns how to stop. It looks now and then instead of asking
 * the system to watch, because on some machines few files can be watched.
 */
export function onSilence(path: string, seconds: number, callback: () => void): () => void {
  let size = 0;
  let grownAt = performance.now();
  const timer = setInterval(() => {
    const now = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (now !== size) {
      size = now;
      grownAt = performance.now();
    } else if (performance.now() - grownAt > seconds * 1_000) {
      clearInterval(timer);
      callback();
    }
  }, lookMs);
  return () => clearInterval(timer);
}
