import { maxScore } from '@spaceport/contract/declarations';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { StatRow } from './settings.ts';

/** Names a stat's value or an unlock by its player, space and env. */
export interface ProgressName {
  readonly spaceId: SpaceId;
  readonly env: Env;
  /** The key of the stat or the achievement. */
  readonly key: string;
  readonly playerId: PlayerId;
}

export function progressKey({ spaceId, env, key, playerId }: ProgressName): string {
  return `${spaceId} ${env} ${key} ${playerId}`;
}

/** A stat as declared, with the achievements that it triggers. */
export interface StatRules {
  readonly op: StatRow['op'];
  readonly triggers: readonly { readonly key: string; readonly atLeast: number }[];
}

/** The values of players, and the instants of their unlocks, as read in a transaction, by `progressKey`. */
export interface Progress {
  readonly values: Map<string, ProgressName & { readonly value: number }>;
  readonly unlocks: Map<string, ProgressName & { readonly unlockedAt: number }>;
}

export function noProgress(): Progress {
  return { values: new Map(), unlocks: new Map() };
}

/** Adds the second progress to the first. */
export function addProgress(progress: Progress, { values, unlocks }: Progress): void {
  for (const [key, value] of values) progress.values.set(key, value);
  for (const [key, unlock] of unlocks) progress.unlocks.set(key, unlock);
}

/** Returns the value of a stat after `posted` is applied; null if it would leave ±2^53. Never -0. */
export function valueAfter(op: StatRow['op'], current: number | undefined, posted: number): number | null {
  if (op === 'add') {
    const sum = (current ?? 0) + posted + 0;
    return Math.abs(sum) <= maxScore ? sum : null;
  }
  return (op === 'max' && current !== undefined ? Math.max(current, posted) : posted) + 0;
}

/**
 * Applies one posted value to the values in `there`, and to those that the same call has `written` before,
 * and adds the result to `written`. Returns the new value and the achievements that it unlocks; null if the
 * value would leave ±2^53.
 */
export function writeStat(
  { op, triggers }: StatRules,
  name: ProgressName,
  posted: number,
  { there, written, now }: { there: Progress; written: Progress; now: number },
): { value: number; unlocked: string[] } | null {
  const key = progressKey(name);
  const value = valueAfter(op, (written.values.get(key) ?? there.values.get(key))?.value, posted);
  if (value === null) return null;
  written.values.set(key, { ...name, value });
  const reached = triggers
    .filter(({ atLeast }) => value >= atLeast)
    .map((trigger) => ({ ...name, key: trigger.key, unlockedAt: now }))
    .filter((unlock) => !there.unlocks.has(progressKey(unlock)) && !written.unlocks.has(progressKey(unlock)));
  for (const unlock of reached) written.unlocks.set(progressKey(unlock), unlock);
  return { value, unlocked: reached.map((unlock) => unlock.key) };
}
