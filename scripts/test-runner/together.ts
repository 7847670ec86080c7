/**
 * Runs several test files in this one process, which loads the server once for all of them: each in a suite of its own,
 * named by the file, so that its hooks are its own and its tests are told apart.
 */
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteReached } from './statements/watch.ts';

// One after the other: what two of them need would else be loaded, and they with it, in the suite of whoever came first.
// Each waits for a promise of its own suite, since node tells a test's suite by the promise that led to it.
const waiting: (() => void)[] = [];
const letNext = () => waiting.shift()?.();

for (const file of process.argv.slice(2))
  describe(file, async () => {
    after(() => noteReached(file));
    await new Promise<void>((resolve) => waiting.push(resolve));
    await import(pathToFileURL(file).href).finally(letNext);
  });
letNext();
