import { Worker } from 'node:worker_threads';

const maxHeapMegabytes = 768;
const maxIdleMilliseconds = 10_000;

interface Idle {
  readonly worker: Worker;
  readonly ending: NodeJS.Timeout;
}

let idle: Idle | null = null;

/**
 * Returns the thread of the last reading if it is still idle, or a new one. Starting one takes a tenth
 * of a second of processor time.
 */
export function takeThread(): Worker {
  if (idle === null) return startWorker();
  const { worker, ending } = idle;
  forget();
  clearTimeout(ending);
  worker.ref();
  return worker;
}

/** Keeps an idle thread for the next reading. It ends after ten seconds without one. */
export function giveBack(worker: Worker): void {
  // An idle thread must not keep the process alive.
  worker.unref();
  const hasEnded = worker.threadId === -1;
  if (idle !== null || hasEnded) {
    void worker.terminate();
    return;
  }
  const end = () => {
    forget();
    void worker.terminate();
  };
  idle = { worker, ending: setTimeout(end, maxIdleMilliseconds).unref() };
  worker.once('error', forget).once('exit', forget);
}

function forget(): void {
  idle?.worker.off('error', forget).off('exit', forget);
  idle = null;
}

function startWorker(): Worker {
  return new Worker(new URL('./facts-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: 64 },
  });
}
