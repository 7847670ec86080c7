import type { Readable } from 'node:stream';
import type { LineSink } from '../log-stream.ts';

const newline = 10;

/** Passes on the output of a process in whole lines, so that the lines of several processes never mix. */
export function relayLines(from: Readable, sink: LineSink): void {
  let begun: Buffer[] = [];
  const pass = (bytes: Buffer) => {
    if (bytes.length === 0) return;
    const text = bytes.toString();
    sink.write(text, text.split('\n').length - 1);
  };
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      pass(Buffer.concat([...begun, chunk.subarray(0, end)]));
      begun = [];
    }
    if (end < chunk.length) begun.push(chunk.subarray(end));
  });
  // The unfinished line of a killed process.
  from.once('end', () =>
    pass(begun.length === 0 ? Buffer.alloc(0) : Buffer.concat([...begun, Buffer.from('\n')])),
  );
}
