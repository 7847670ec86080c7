/**
 * Runs several test files in this one process, which loads the server once for all. Each file is a suite of
 * its own, named by the file, so that hooks affect only their file and each test can be assigned to its file.
 */
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { processorSoFar } from './processor.ts';
import type { Reading } from './reporter.ts';
import { noteReached } from './statements/watch.ts';

// Files are loaded one after the other. Otherwise two files that import the same module would both be
// evaluated in the suite of the first one. Each waits for a promise of its own suite, because node finds the
// suite of a test by the promise that led to it.
const waiting: (() => void)[] = [];
const letNext = () => waiting.shift()?.();

for (const file of process.argv.slice(2))
  describe(file, async () => {
    before(() => tellProcessor(file));
    after(() => noteReached(file));
    await new Promise<void>((resolve) => waiting.push(resolve));
    await import(pathToFileURL(file).href).finally(letNext);
  });
letNext();

/** Tells the runner how much processor time the process has taken before this file. */
function tellProcessor(file: string): void {
  const reading: Reading = { what: 'reading', file, processorSeconds: processorSoFar() ?? 0 };
  appendFileSync(process.env.TEST_EVENTS ?? '/dev/null', `${JSON.stringify(reading)}\n`);
}
