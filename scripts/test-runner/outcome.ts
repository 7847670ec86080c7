import type { Told, ToldTest } from './reporter.ts';

/** What became of one test file, run once. */
export interface FileOutcome {
  passed: number;
  failures: NamedReason[];
  skips: NamedReason[];
  /** What failed among all the others, and passed when the file ran by itself. */
  unsteady?: readonly NamedReason[];
  /** Everything it printed. */
  output: string;
  milliseconds: number;
  /** Of processor time, with what it started; null where the machine does not say. */
  processorSeconds: number | null;
}

export interface NamedReason {
  /** The suites and the test, outermost first, joined by ` › `. */
  name: string;
  reason: string;
}

/** How the process ended, besides what its tests told. */
export interface ProcessEnd {
  /** Null when it was ended by a signal. */
  exitCode: number | null;
  /** Set when it was ended because it had told nothing for so long. */
  quietSeconds: number | null;
}

/** What a process with several files told of one of them, which stands in a suite named by the file. */
export function toldOf(file: string, told: readonly Told[]): FileShare {
  const suite = told.find(({ name, parent }) => name === file && (parent === undefined || parent === 0));
  const inside = new Set<number>(suite ? [suite.id] : []);
  const own: Told[] = [];
  let milliseconds: number | null = null;
  for (const line of told) {
    if (line.id === suite?.id) {
      if (line.what !== 'ended') continue;
      milliseconds = line.milliseconds;
      // It could not be loaded, or a hook of its own failed.
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
  /** Null where it has not come to its end. */
  readonly milliseconds: number | null;
}

/** Reads what the process told. A process that ended badly, or ran nothing, is a failure whatever its tests said. */
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
    // One that was cancelled ends without having begun.
    tests.set(line.id, line);
    if (line.what === 'begun') {
      running.add(line.id);
      continue;
    }
    running.delete(line.id);
    const named = { name: nameOf(line.id), reason: line.reason };
    if (line.outcome === 'failed') {
      if (line.reason !== 'subtestsFailed') failures.push(named);
    } else if (line.suite) continue;
    else if (line.outcome === 'skipped') skips.push(named);
    else passed++;
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
