import type { FileOutcome, NamedReason } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

export interface Results {
  runs: readonly PlannedRun[];
  outcomes: ReadonlyMap<PlannedRun, FileOutcome>;
  /** True if the run was stopped before its end. */
  stopped: boolean;
  milliseconds: number;
}

const longestShown = 20;

export function nameOf(run: PlannedRun): string {
  return run.engine ? `${run.file} [${run.engine}]` : run.file;
}

/** Prints one line for a file. If the file failed, or the user watches, its output follows. */
export function reportFile(name: string, outcome: FileOutcome, watched: boolean): void {
  const { passed, failures, skips } = outcome;
  const failed = failures.length > 0;
  const counts = [`${passed} passed`];
  if (failed) counts.push(`${failures.length} failed`);
  if (skips.length > 0) counts.push(`${skips.length} skipped`);
  console.log(`${failed ? '✖' : '✔'} ${name}: ${counts.join(', ')}, ${took(outcome)}`);
  if (failed || watched) console.log(indent(outcome.output.trimEnd()));
  // Failures of the process, which are not in the file's own output.
  for (const { name: test, reason } of failures) if (test === '') console.log(indent(reason));
}

/** Prints the end of the report. Returns whether the run passed. */
export function summarise({ runs, outcomes, stopped, milliseconds }: Results): boolean {
  const all = [...outcomes].sort(([a], [b]) => runs.indexOf(a) - runs.indexOf(b));
  list(
    'Skipped:',
    all.map(([run, { skips }]) => [run, skips]),
  );
  list(
    'Failed among the others and passed by themselves, which is a defect of the test or a race:',
    all.map(([run, { unsteady = [] }]) => [run, unsteady]),
  );
  list(
    'Failed:',
    all.map(([run, { failures }]) => [run, failures]),
  );
  if (runs.length > longestShown) listLongest(outcomes);
  const files = new Set(runs.map((run) => run.file)).size;
  const twice = runs.length - files;
  const both = twice > 0 ? `, ${twice} of them on both engines` : '';
  const processor = [...outcomes.values()].reduce((sum, one) => sum + (one.processorSeconds ?? 0), 0);
  console.log(
    `\n${files} files${both}, in ${seconds(milliseconds)}, with ${processor.toFixed(0)} s of processor.`,
  );
  if (stopped) console.log(`It was ended early: ${outcomes.size} of ${runs.length} runs had been started.`);

  const sum = (count: (outcome: FileOutcome) => number) =>
    [...outcomes.values()].reduce((total, outcome) => total + count(outcome), 0);
  const passed = sum((outcome) => outcome.passed);
  const failed = sum((outcome) => outcome.failures.length);
  const skipped = sum((outcome) => outcome.skips.length);
  if (passed + failed === 0) console.log('No test ran, and that is a failure too.');
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed > 0 && !stopped && outcomes.size === runs.length;
}

/** Prints the runs that take the most processor time: making these cheaper shortens the whole run most. */
function listLongest(outcomes: Results['outcomes']): void {
  const cost = ({ processorSeconds, milliseconds }: FileOutcome) => processorSeconds ?? milliseconds / 1_000;
  const longest = [...outcomes].toSorted(([, a], [, b]) => cost(b) - cost(a));
  console.log('\nLongest:');
  for (const [run, outcome] of longest.slice(0, longestShown))
    console.log(`  ${took(outcome)}: ${nameOf(run)}`);
}

function list(heading: string, entries: (readonly [PlannedRun, readonly NamedReason[]])[]): void {
  if (entries.every(([, tests]) => tests.length === 0)) return;
  console.log(`\n${heading}`);
  for (const [run, tests] of entries)
    for (const { name, reason } of tests) {
      const where = name === '' ? nameOf(run) : `${nameOf(run)} › ${name}`;
      const [why = ''] = reason.split('\n', 1);
      console.log(`  ${where}${why === '' ? '' : `: ${why}`}`);
    }
}

function took({ milliseconds, processorSeconds }: FileOutcome): string {
  const processor = processorSeconds === null ? '' : ` (${processorSeconds.toFixed(1)} s of processor)`;
  return `${seconds(milliseconds)}${processor}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '    ');
}
