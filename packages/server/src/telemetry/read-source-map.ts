import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StackFrame } from './stack-frames.ts';

/** A place in a source; line and column from 1. */
export interface Position {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** What the thread is given: the map's bytes, and lines and columns from 0. */
export interface MapWork {
  readonly map: Uint8Array;
  readonly places: readonly { readonly line: number; readonly column: number }[];
}

/** Where the places of a script are in its sources; null where the map is none, or takes too much. */
export type ReadPositions = (
  map: Uint8Array,
  frames: readonly Pick<StackFrame, 'line' | 'column'>[],
) => Promise<(Position | null)[] | null>;

const program = new URL('source-map-thread.ts', import.meta.url);
const maxMs = 5_000;
/** Eight megabytes of mappings take a quarter of that. */
const maxMebibytes = 512;
/** Who comes behind so many does not wait. */
const mostWaiting = 8;

/** Reads maps of strangers in a thread that may end at any time: one after the other, never beside requests. */
export function createMapReader(): ReadPositions {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (map, frames) => {
    if (waiting >= mostWaiting) return null;
    waiting++;
    const places = frames.map(({ line, column }) => ({ line: line - 1, column: column - 1 }));
    const read = last.then(() => readInThread({ map, places }));
    last = read;
    return read.finally(() => {
      waiting--;
    });
  };
}

async function readInThread(work: MapWork): Promise<(Position | null)[] | null> {
  const worker = new Worker(program, {
    workerData: work,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMebibytes },
  });
  try {
    // It ends without an answer where the map is none, and with an error where it runs out of memory.
    const [answer] = await Promise.race([
      once(worker, 'message', { signal: AbortSignal.timeout(maxMs) }),
      once(worker, 'exit').then(() => [null]),
    ]);
    return answer;
  } catch {
    return null;
  } finally {
    await worker.terminate();
  }
}
