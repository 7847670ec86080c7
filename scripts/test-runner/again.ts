import type { FileOutcome } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

/** What fails in more files than these fails because of the change. */
const mostFiles = 5;

/** The runs that are tried a second time, each by itself: a few, once the whole is through. */
export function triedAgain(outcomes: ReadonlyMap<PlannedRun, FileOutcome>): PlannedRun[] {
  const failed = [...outcomes].filter(([, { failures }]) => failures.length > 0).map(([run]) => run);
  return failed.length > mostFiles ? [] : failed;
}

/** The outcome of a second try: what passed is told with what had failed at first. */
export function outcomeOfSecond(first: FileOutcome, second: FileOutcome): FileOutcome {
  return second.failures.length > 0 ? second : { ...second, unsteady: first.failures };
}
