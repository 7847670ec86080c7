import { Writable } from 'node:stream';
import type { Streams } from '../output.ts';

/**
 * Returns a stream for the notes of one call: they go to `err`, and each line to `say`. It is no terminal even if
 * `err` is one, because the screen belongs to the program that started this one: no bars are drawn there.
 */
export function notesTo(err: Streams['err'], say: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      err.write(text);
      const line = text.trim();
      if (line !== '') say(line);
      done();
    },
  });
}
