import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StackFrame } from './stack-frames.ts';

/** A position in a source. Line and column start from 1. */
export interface Position {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

/** The input of the thread: the map's bytes, and positions whose lines and columns start from 0. */
export interface MapWork {
  readonly map: Uint8Array;
  readonly places: readonly { readonly line: number; readonly column: number }[];
}

/** Returns the positions in the sources; null if the map is invalid, or takes too much time or memory. */
export type ReadPositions = (
  map: Uint8Array,
  frames: readonly Pick<StackFrame, 'line' | 'column'>[],
) => Promise<(Position | null)[] | null>;

const program = new URL('source-map-thread.ts', import.meta.url);
const maxMs = 5_000;
/** Eight megabytes of mappings need a quarter of this. */
const maxMebibytes = 512;
/** With this many requests waiting, the next gets null at once. */
const mostWaiting = 8;

/**
 * Reads untrusted maps in a thread that can be ended at any time. Maps are read one after the other, outside
 * the thread that answers requests.
 */
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
    // The thread exits without an answer for an invalid map, and with an error when it runs out of memory.
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
