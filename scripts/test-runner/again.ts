import type { FileOutcome } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

/** If more files than this fail, the change is taken for the cause. */
const mostFiles = 5;

/** Returns the failed runs to try again, each alone, after the whole run; none if there are too many. */
export function triedAgain(outcomes: ReadonlyMap<PlannedRun, FileOutcome>): PlannedRun[] {
  const failed = [...outcomes].filter(([, { failures }]) => failures.length > 0).map(([run]) => run);
  return failed.length > mostFiles ? [] : failed;
}

/** Returns the outcome of a second try. If it passed, it includes the failures of the first try. */
export function outcomeOfSecond(first: FileOutcome, second: FileOutcome): FileOutcome {
  return second.failures.length > 0 ? second : { ...second, unsteady: first.failures };
}
