import type { Reading, Told, ToldTest } from './reporter.ts';

/** The outcome of one run of a test file. */
export interface FileOutcome {
  passed: number;
  failures: NamedReason[];
  skips: NamedReason[];
  /** The failures of the whole run, if the file passed when it was tried again alone. */
  unsteady?: readonly NamedReason[];
  /** The output of the process, stdout and stderr. */
  output: string;
  milliseconds: number;
  /** The processor time, including started processes; null if the machine does not report it. */
  processorSeconds: number | null;
}

export interface NamedReason {
  /** The suites and the test, outermost first, joined by ` › `. */
  name: string;
  reason: string;
}

/** How the process ended, apart from the results of its tests. */
export interface ProcessEnd {
  /** Null if a signal ended the process. */
  exitCode: number | null;
  /** The time limit in seconds, if the process was killed because it reported nothing for so long. */
  quietSeconds: number | null;
}

/**
 * Returns the lines of one file in a process with several files. Its tests are in a suite named by the file.
 */
export function toldOf(file: string, told: readonly Told[]): FileShare {
  const suite = told.find(({ name, parent }) => name === file && (parent === undefined || parent === 0));
  const inside = new Set<number>(suite ? [suite.id] : []);
  const own: Told[] = [];
  let milliseconds: number | null = null;
  for (const line of told) {
    if (line.id === suite?.id) {
      if (line.what !== 'ended') continue;
      milliseconds = line.milliseconds;
      // The file could not be loaded, or one of its hooks failed.
      if (line.outcome === 'failed') own.push({ ...line, name: '', parent: undefined });
    } else if (line.parent !== undefined && inside.has(line.parent)) {
      inside.add(line.id);
      own.push(line.parent === suite?.id ? { ...line, parent: undefined } : line);
    }
  }
  return { told: own, milliseconds };
}

export interface FileShare {
  readonly told: readonly Told[];
  /** The duration; null if the file has not ended. */
  readonly milliseconds: number | null;
}

/**
 * Returns the outcome of a process. A process that ended badly or ran no test failed, even if its tests
 * passed.
 */
export function outcomeOf(
  told: readonly Told[],
  end: ProcessEnd,
): Pick<FileOutcome, 'passed' | 'failures' | 'skips'> {
  const tests = new Map<number, ToldTest>();
  const running = new Set<number>();
  const nameOf = (id: number): string => {
    const test = tests.get(id);
    if (!test) return '';
    const outer = test.parent === undefined ? '' : nameOf(test.parent);
    return outer ? `${outer} › ${test.name}` : test.name;
  };

  let passed = 0;
  const failures: NamedReason[] = [];
  const skips: NamedReason[] = [];
  for (const line of told) {
    // A cancelled test ends without having begun.
    tests.set(line.id, line);
    if (line.what === 'begun') {
      running.add(line.id);
      continue;
    }
    running.delete(line.id);
    const named = { name: nameOf(line.id), reason: line.reason };
    if (line.outcome === 'failed') {
      if (line.reason !== 'subtestsFailed') failures.push(named);
    } else if (line.outcome === 'skipped') skips.push(named);
    else if (!line.suite) passed++;
  }

  if (end.quietSeconds !== null) {
    const left = [...running].map(nameOf).join(', ') || 'no test that it told of';
    failures.push({
      name: '',
      reason: `It was ended after ${end.quietSeconds} s without a sign. Still running: ${left}.`,
    });
  } else if (end.exitCode !== 0 && failures.length === 0) {
    failures.push({ name: '', reason: `The process ended with ${end.exitCode ?? 'a signal'}.` });
  } else if (passed + failures.length + skips.length === 0) {
    failures.push({ name: '', reason: 'It ran no test.' });
  }
  return { passed, failures, skips };
}

/**
 * Returns the processor time of each file of a process, in seconds. A file has the time between its begin and
 * that of the next one. What the process took to load all files is divided equally.
 * @param all the time of the whole process
 */
export function processorOf(files: readonly string[], readings: readonly Reading[], all: number): number[] {
  const begins = files.map((file) => readings.find((each) => each.file === file)?.processorSeconds ?? null);
  const loading = (begins.find((begin) => begin !== null) ?? all) / files.length;
  return begins.map((begin, index) => {
    if (begin === null) return loading;
    const next = begins.slice(index + 1).find((each) => each !== null);
    return loading + Math.max(0, (next ?? all) - begin);
  });
}
