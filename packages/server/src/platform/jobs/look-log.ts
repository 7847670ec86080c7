import type { Logger } from 'pino';
import { RepeatedFailure } from '../repeated-failure.ts';

/** Logs that looks for jobs fail, and that they succeed again: a worker looks every second. */
export function createLookLog(log: Logger): RepeatedFailure {
  return new RepeatedFailure(log, {
    fails: 'could not look for jobs: they wait until the database answers',
    again: 'looking for jobs again',
  });
}
