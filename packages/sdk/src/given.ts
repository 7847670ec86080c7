import type { Json, Page } from '@spaceport/contract/sdk-protocol';
import type { DeclaredBoard } from './declared.ts';
import { bytesOf, fault, isBytes } from './faults.ts';
import type { SpaceportError } from './types.ts';

/** What a space passes to a call, checked as the service checks it. All functions throw `invalid`. */

const mostScore = 2 ** 53;
const mostEntries = 100;
const mostMetaBytes = 1_024;
const mostReplayBytes = 64 * 1_024;
const periods = ['all', 'day', 'week', 'month'];

export function wrong(path: string, message: string): SpaceportError {
  return fault('invalid', `${path} ${message}`, { issues: [{ path, message }] });
}

/** Reads the key of a board, a stat or an achievement, or a kind of content. */
export function keyOf(given: unknown, path: string): string {
  if (typeof given === 'string' && /^[a-z][a-z0-9_-]{0,39}$/u.test(given)) return given;
  throw wrong(path, 'must start with a-z and have at most 40 of a-z, 0-9, _ and -');
}

/** Reads the name of a save's slot. */
export function slotOf(given: unknown): string {
  if (typeof given === 'string' && /^[a-z0-9][a-z0-9_-]{0,39}$/u.test(given)) return given;
  throw wrong('slot', 'must be 1 to 40 of a-z, 0-9, _ and -, starting with a letter or a digit');
}

/** Reads a score, or a number for a stat. */
export function numberOf(given: unknown, path: string): number {
  if (typeof given !== 'number' || !Number.isFinite(given)) throw wrong(path, 'must be a finite number');
  if (Math.abs(given) > mostScore) throw wrong(path, 'must be within ±2^53');
  return given;
}

/** Checks what comes with a score. */
export function checkExtras({ meta, replay }: { meta?: Json | undefined; replay?: unknown }): void {
  if (meta !== undefined && bytesOf(meta) > mostMetaBytes)
    throw wrong('meta', `must be at most ${mostMetaBytes} bytes of JSON`);
  if (replay === undefined) return;
  if (!isBytes(replay)) throw wrong('replay', 'must be a Uint8Array');
  if (replay.length > mostReplayBytes) throw wrong('replay', `must be at most ${mostReplayBytes} bytes`);
}

/** Checks a score against its board. `seconds` is the time of the run; null without a run. */
export function checkScore(
  { key, trust, min, max, min_seconds, max_per_second }: DeclaredBoard,
  score: number,
  seconds: number | null,
): void {
  if (trust === 'server') throw fault('invalid', `only the space's own server can post to "${key}"`);
  if (min_seconds != null && seconds === null)
    throw fault('invalid', `"${key}" only takes the scores of runs: start a run first`);
  if (min_seconds != null && seconds !== null && seconds < min_seconds)
    throw fault('invalid', `a run on "${key}" takes ${min_seconds} seconds at least`);
  if (min != null && score < min) throw wrong('score', `is under the board's min, ${min}`);
  if (max != null && score > max) throw wrong('score', `is over the board's max, ${max}`);
  if (max_per_second != null && seconds !== null && score > max_per_second * seconds)
    throw wrong('score', `is over the board's max_per_second, ${max_per_second}, for the time it took`);
}

/** Checks which entries of a board are asked for. */
export function checkPage({ periods: ranked = ['all'] }: DeclaredBoard, page: Page | null): void {
  if (page !== null && typeof page !== 'object') throw wrong('page', 'must be an object');
  const { period, limit = 1 } = page ?? {};
  if (!Number.isInteger(limit) || limit < 1 || limit > mostEntries)
    throw wrong('limit', `must be a whole number from 1 to ${mostEntries}`);
  if (period === undefined) return;
  if (!periods.includes(period)) throw wrong('period', 'must be all, day, week or month');
  if (!ranked.includes(period))
    throw wrong('period', `is not a ranking of this board, which has ${ranked.join(', ')}`);
}
