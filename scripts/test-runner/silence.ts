import { statSync } from 'node:fs';

const lookMs = 500;

/**
 * Calls `callback` once when the file has not grown for `seconds`. Returns a function that stops this. It
 * polls instead of watching the file, because some machines limit the number of watched files.
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
