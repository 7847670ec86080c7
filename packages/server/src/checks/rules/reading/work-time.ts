import type { Worker } from 'node:worker_threads';

const shortestWaitMs = 50;

/**
 * Calls `onEnd` when a thread has used this much processor time. On a busy machine a thread waits for a
 * processor most of the time, and a time limit by the clock would end it before it has done its work. Returns
 * how to cancel the call.
 */
export function afterWork(worker: Worker, milliseconds: number, onEnd: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const begun = workedMs(worker);
  const look = async (): Promise<void> => {
    const left = milliseconds - ((await workedMs(worker)) - (await begun));
    if (isOver) return;
    if (left <= 0) onEnd();
    else lookIn(left);
  };
  // It works no longer than the clock goes on.
  const lookIn = (left: number): void => {
    timer = setTimeout(() => void look(), Math.max(left, shortestWaitMs));
  };
  lookIn(milliseconds);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Returns the processor time that a thread has used since its start: 0 if it has not started, or has ended. */
async function workedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
