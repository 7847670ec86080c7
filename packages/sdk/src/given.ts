import type { Json, Page } from '@spaceport/contract/sdk-protocol';
import type { DeclaredBoard } from './declared.ts';
import { fault } from './faults.ts';
import { bytesOf, isBytes } from './json-or-bytes.ts';
import type { SpaceportError } from './types.ts';

/** What a space passes to a call, checked as the service checks it. All functions throw `invalid`. */

const mostScore = 2 ** 53;
const mostEntries = 100;
const mostMetaBytes = 1_024;
const mostReplayBytes = 64 * 1_024;

export function wrong(path: string, message: string): SpaceportError {
  return fault('invalid', `${path} ${message}`, { issues: [{ path, message }] });
}

/** Reads the key of a board, a stat or an achievement, or a kind of content. */
export function keyOf(given: unknown, path: string, first = 'a-z'): string {
  if (typeof given === 'string' && new RegExp(`^[${first}][a-z0-9_-]{0,39}$`).test(given)) return given;
  throw wrong(path, `must be at most 40 of a-z, 0-9, _ and -, the first of ${first}`);
}

/** Reads the name of a save's slot. */
export function slotOf(given: unknown): string {
  return keyOf(given, 'slot', 'a-z0-9');
}

/** Reads a score, or a number for a stat. */
export function numberOf(given: unknown, path: string): number {
  if (typeof given === 'number' && Math.abs(given) <= mostScore) return given;
  throw wrong(path, 'must be a finite number within ±2^53');
}

/** Checks what comes with a score. */
export function checkExtras({ meta, replay }: { meta?: Json | undefined; replay?: unknown }): void {
  if (meta !== undefined && bytesOf(meta) > mostMetaBytes)
    throw wrong('meta', `must be at most ${mostMetaBytes} bytes of JSON`);
  if (replay !== undefined && !(isBytes(replay) && replay.length <= mostReplayBytes))
    throw wrong('replay', `must be a Uint8Array of at most ${mostReplayBytes} bytes`);
}

/** Checks a score against its board. `seconds` is the time of the run; null without a run. */
export function checkScore(
  { key, trust, min, max, min_seconds, max_per_second }: DeclaredBoard,
  score: number,
  seconds: number | null,
): void {
  if (trust === 'server') throw fault('invalid', `"${key}" takes scores of the space's own server only`);
  if (min_seconds != null && (seconds === null || seconds < min_seconds))
    throw fault('invalid', `"${key}" takes scores of runs of at least ${min_seconds} seconds only`);
  if (min != null && score < min) throw wrong('score', `must be at least ${min}`);
  if (max != null && score > max) throw wrong('score', `must be at most ${max}`);
  if (max_per_second != null && seconds !== null && score > max_per_second * seconds)
    throw wrong('score', `must be at most ${max_per_second} a second`);
}

/** Checks how many things are asked for. */
export function checkLimit(limit: number, most: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw wrong('limit', `must be a whole number from 1 to ${most}`);
}

/** Checks which entries of a board are asked for. */
export function checkPage({ periods: ranked = ['all'] }: DeclaredBoard, page: Page | null): void {
  const { period = ranked[0], limit = 1 } = page ?? {};
  checkLimit(limit, mostEntries);
  if (!ranked.some((one) => one === period)) throw wrong('period', `must be one of ${ranked.join(', ')}`);
}
