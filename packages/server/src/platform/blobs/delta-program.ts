import { buffer } from 'node:stream/consumers';
import { deltaOf, isDeltaOf } from './delta-form.ts';

/**
 * The program of the process that makes a delta: a dictionary and a file on stdin, one behind the other; on stdout the delta, or
 * nothing where it would not be small enough.
 *
 * Arguments: the bytes of the dictionary, the most bytes of the delta, and after how many milliseconds it ends by
 * itself, should nobody be left to end it.
 */
const [dictionaryBytes = 0, maxBytes = 0, ownEndMs = 0] = process.argv.slice(2).map(Number);

setTimeout(() => process.exit(1), ownEndMs).unref();
const all = await buffer(process.stdin);
const dictionary = all.subarray(0, dictionaryBytes);
const file = all.subarray(dictionaryBytes);
const delta = deltaOf(file, dictionary);
if (delta.length <= maxBytes) {
  if (!isDeltaOf(delta, file, dictionary)) throw new Error('the delta does not give the file');
  process.stdout.write(delta);
}
