import { buffer } from 'node:stream/consumers';
import { deltaOf, isDeltaOf } from './delta-form.ts';

/**
 * The program of the process that makes a delta. Its stdin is a dictionary followed by a file; its stdout is
 * the delta, or nothing if the delta would not be small enough.
 *
 * Its arguments are the bytes of the dictionary, the most bytes of the delta, and after how many milliseconds
 * it exits by itself, in case its parent is gone.
 */
const [dictionaryBytes = 0, maxBytes = 0, ownEndMs = 0] = process.argv.slice(2).map(Number);

setTimeout(() => process.exit(1), ownEndMs).unref();
void answer();

async function answer(): Promise<void> {
  const all = await buffer(process.stdin);
  const dictionary = all.subarray(0, dictionaryBytes);
  const file = all.subarray(dictionaryBytes);
  const delta = deltaOf(file, dictionary);
  if (delta.length > maxBytes) return;
  if (!isDeltaOf(delta, file, dictionary)) throw new Error('the delta does not give the file');
  process.stdout.write(delta);
}
