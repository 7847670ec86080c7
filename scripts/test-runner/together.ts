/**
 * Runs several test files in this one process, which loads the server once for all. Each file is a suite of
 * its own, named by the file, so that hooks affect only their file and each test can be assigned to its file.
 */
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteReached } from './statements/watch.ts';

// Files are loaded one after the other. Otherwise two files that import the same module would both be
// evaluated in the suite of the first one. Each waits for a promise of its own suite, because node finds the
// suite of a test by the promise that led to it.
const waiting: (() => void)[] = [];
const letNext = () => waiting.shift()?.();

for (const file of process.argv.slice(2))
  describe(file, async () => {
    after(() => noteReached(file));
    await new Promise<void>((resolve) => waiting.push(resolve));
    await import(pathToFileURL(file).href).finally(letNext);
  });
letNext();
