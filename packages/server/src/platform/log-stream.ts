import type { Writable } from 'node:stream';

/** What waits in memory for a reader that does not read. */
const maxWaitingBytes = 1024 * 1024;

/** What lines are handed to. */
export interface LineSink {
  write(lines: string, count: number): void;
  /** Calls back once nothing waits any more. */
  whenEmpty(done: () => void): void;
}

/**
 * Lines into a stream whose reader may stall or go: what it does not take waits in memory up to a bound, what is over
 * the bound is dropped and counted, and nobody waits. `tellDropped` gets the count once the reader has caught up. Of a
 * pipe or socket Node writes what fits and queues the rest, so no write of ours ever blocks.
 */
export function neverBlocking(stream: Writable, tellDropped: (lines: number) => void): LineSink {
  let dropped = 0;
  // A reader that is gone is no reason to end: what it would have read is lost, and nothing else.
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
      // Called in its turn, after what was written before.
      if (stream.writable) stream.write('', () => done());
      else done();
    },
  };
}
