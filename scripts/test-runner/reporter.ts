import { appendFileSync } from 'node:fs';
import process from 'node:process';
import type { TestEvent } from 'node:test/reporters';
import { leavePromisesAlone } from './unwatched-promises.ts';

/** A report of a test process to the runner: a line of JSON in the file that TEST_EVENTS names. */
export type Told = ToldTest &
  (
    | { what: 'begun' }
    | { what: 'ended'; suite: boolean; outcome: Outcome; reason: string; milliseconds: number }
  );

export interface ToldTest {
  id: number;
  parent: number | undefined;
  name: string;
}

/** The processor time of a process with several files when the tests of a file begin, in seconds. */
export interface Reading {
  what: 'reading';
  file: string;
  processorSeconds: number;
}

export type Outcome = 'passed' | 'failed' | 'skipped';

/**
 * A reporter for node's test runner. It writes to the file at once and not through the stream of the
 * reporter, so that no report is lost when the process crashes or is killed.
 */
// biome-ignore lint/correctness/useYield: what it has to say goes to the file.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  endWithTheRunner();
  for await (const event of events) {
    // The first test begins after all files of the process are loaded.
    if (event.type === 'test:dequeue') leavePromisesAlone();
    const told = retell(event);
    if (told) appendFileSync(process.env.TEST_EVENTS ?? '/dev/null', `${JSON.stringify(told)}\n`);
  }
}

function retell(event: TestEvent): Told | null {
  if (event.type !== 'test:dequeue' && event.type !== 'test:complete') return null;
  const { testId, parentId, name } = event.data;
  const test = { id: testId, parent: parentId, name };
  if (event.type === 'test:dequeue') return { ...test, what: 'begun' };
  const { details, skip, todo } = event.data;
  const ended = {
    ...test,
    what: 'ended',
    suite: details.type === 'suite',
    milliseconds: details.duration_ms,
  } as const;
  for (const mark of [skip, todo])
    if (mark !== undefined && mark !== false)
      return { ...ended, outcome: 'skipped', reason: typeof mark === 'string' ? mark : '' };
  if (details.passed) return { ...ended, outcome: 'passed', reason: '' };
  return { ...ended, outcome: 'failed', reason: reasonOf(details.error) };
}

/**
 * Returns the message of the test's own error, which is the cause of node's error. `subtestsFailed` means
 * that a test inside failed, which has its own report.
 */
function reasonOf(error: Error | undefined): string {
  if (error && 'failureType' in error && error.failureType === 'subtestsFailed') return 'subtestsFailed';
  const cause = error?.cause instanceof Error ? error.cause : error;
  return cause?.message ?? 'It failed without an error.';
}

/** Ends this process when the runner is gone: a killed runner cannot end its tests. */
function endWithTheRunner(): void {
  const runner = process.ppid;
  setInterval(() => {
    if (process.ppid !== runner) process.kill(process.pid, 'SIGKILL');
  }, 1_000).unref();
}
