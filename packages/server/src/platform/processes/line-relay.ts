import type { Readable } from 'node:stream';
import type { LineSink } from '../log-stream.ts';

const newline = 10;

/** Passes on what a process writes, in whole lines, so that those of several never run into each other. */
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
  // What a process was killed in.
  from.once('end', () =>
    pass(begun.length === 0 ? Buffer.alloc(0) : Buffer.concat([...begun, Buffer.from('\n')])),
  );
}
