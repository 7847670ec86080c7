import type { Selectable } from 'kysely';
import type { BoardsTable } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';

/** The play that a posted score is checked against. */
export interface Played {
  /** Seconds since the run began, or since the session began if there is no run. */
  readonly seconds: number;
  readonly isRun: boolean;
}

type Rules = Pick<
  Selectable<BoardsTable>,
  'key' | 'trust' | 'min' | 'max' | 'min_seconds' | 'max_per_second'
>;

interface GivenScore {
  readonly score: number;
  /** The path of the score in the body: `scores.3`; empty for the body itself. */
  readonly path: string;
  /** Absent for posts by a space's own server: only the bounds apply to them. */
  readonly played?: Played;
  /** Whether it is the sum of several scores. The bounds apply to each. */
  readonly isSum?: boolean;
}

/**
 * Returns why a board refuses a score, or null: `server_board`, `run_required`, `too_soon`, or
 * `invalid` if it is out of bounds.
 */
export function scoreProblem(board: Rules, given: GivenScore): ServiceError | null {
  return (
    (given.played && playedProblem(board, given.played)) ??
    outOfBounds(board, given) ??
    (given.played && tooFast(board, given, given.played)) ??
    null
  );
}

function playedProblem(
  { key, trust, min_seconds }: Rules,
  { seconds, isRun }: Played,
): ServiceError | undefined {
  if (trust === 'server') return serverBoard(key);
  if (min_seconds === null) return undefined;
  if (!isRun)
    return new ServiceError('run_required', `«${key}» only takes the scores of runs: start a run first.`);
  if (seconds >= min_seconds) return undefined;
  return new ServiceError('too_soon', `A run on «${key}» takes ${min_seconds} seconds at least.`, {
    seconds: Math.max(0, Math.floor(seconds)),
    min_seconds,
  });
}

export function serverBoard(key: string): ServiceError {
  return new ServiceError('server_board', `Only the space’s own server can post to «${key}».`);
}

function outOfBounds({ min, max, key }: Rules, { score, path, isSum }: GivenScore): ServiceError | undefined {
  if (isSum) return undefined;
  const isLow = min !== null && score < min;
  if (!isLow && (max === null || score <= max)) return undefined;
  const message = isLow ? `is under the board's min, ${min}` : `is over the board's max, ${max}`;
  return wrongScore(key, path, message);
}

function tooFast(
  { max_per_second, key }: Rules,
  { score, path }: GivenScore,
  { seconds }: Played,
): ServiceError | undefined {
  // If the clock went back, no time has passed.
  if (max_per_second === null || score <= max_per_second * Math.max(0, seconds)) return undefined;
  return wrongScore(key, path, `is over the board's max_per_second, ${max_per_second}, for the time it took`);
}

function wrongScore(key: string, path: string, message: string): ServiceError {
  const issue = { path: path === '' ? 'score' : `${path}.score`, message };
  return new ServiceError('invalid', `The score for «${key}» ${message}.`, { issues: [issue] });
}
