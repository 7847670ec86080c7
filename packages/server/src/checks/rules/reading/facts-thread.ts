import { Worker } from 'node:worker_threads';

const maxHeapMegabytes = 768;
const maxIdleMilliseconds = 10_000;

interface Idle {
  readonly worker: Worker;
  readonly ending: NodeJS.Timeout;
}

let idle: Idle | null = null;

/** The thread of the last reading, if it still waits, or a new one: to start one takes a tenth of a second of processor. */
export function takeThread(): Worker {
  if (idle === null) return startWorker();
  const { worker, ending } = idle;
  forget();
  clearTimeout(ending);
  worker.ref();
  return worker;
}

/** Keeps a thread that has answered all it was asked for the next reading; after ten seconds without one it ends. */
export function giveBack(worker: Worker): void {
  // Nobody waits for it: the process may end.
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
