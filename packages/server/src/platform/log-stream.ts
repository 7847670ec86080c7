import type { Writable } from 'node:stream';

/** The most bytes that wait in memory for a reader that does not read. */
const maxWaitingBytes = 1024 * 1024;

/** The receiver of log lines. `count` is the number of lines in `lines`. */
export interface LineSink {
  write(lines: string, count: number): void;
  /** Calls `done` once no lines wait any more. */
  whenEmpty(done: () => void): void;
}

/**
 * Returns a sink that writes lines into a stream without ever blocking, although its reader may stall or go
 * away. What the reader does not take waits in memory up to a limit; lines above the limit are dropped and
 * counted. `tellDropped` gets the count once the reader has caught up. For a pipe or socket, Node writes what
 * fits and queues the rest.
 */
export function neverBlocking(stream: Writable, tellDropped: (lines: number) => void): LineSink {
  let dropped = 0;
  // A reader that went away must not end the process: only the lines are lost.
  stream.on('error', () => {});
  return {
    write(lines, count) {
      if (!stream.writable) return;
      if (stream.writableLength + lines.length > maxWaitingBytes) {
        if (dropped === 0) {
          stream.once('drain', () => {
            const lost = dropped;
            dropped = 0;
            tellDropped(lost);
          });
        }
        dropped += count;
        return;
      }
      stream.write(lines);
    },
    whenEmpty(done) {
      // The callback comes after those of earlier writes.
      if (stream.writable) stream.write('', () => done());
      else done();
    },
  };
}
