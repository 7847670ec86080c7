import { maxScore } from '@spaceport/contract/declarations';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { StatRow } from './settings.ts';

/** A stat's value, or an achievement, of a player: live or in the sandbox of a space. */
export interface ProgressName {
  readonly spaceId: SpaceId;
  readonly env: Env;
  /** Of the stat or the achievement. */
  readonly key: string;
  readonly playerId: PlayerId;
}

export function progressKey({ spaceId, env, key, playerId }: ProgressName): string {
  return `${spaceId} ${env} ${key} ${playerId}`;
}

/** A stat as it is declared, with what its triggers wait for. */
export interface StatRules {
  readonly op: StatRow['op'];
  readonly triggers: readonly { readonly key: string; readonly atLeast: number }[];
}

/** What players have, as a transaction finds it: values and instants of unlocks, by `progressKey`. */
export interface Progress {
  readonly values: Map<string, ProgressName & { readonly value: number }>;
  readonly unlocks: Map<string, ProgressName & { readonly unlockedAt: number }>;
}

export function noProgress(): Progress {
  return { values: new Map(), unlocks: new Map() };
}

/** Adds what is new to what is there. */
export function addProgress(progress: Progress, { values, unlocks }: Progress): void {
  for (const [key, value] of values) progress.values.set(key, value);
  for (const [key, unlock] of unlocks) progress.unlocks.set(key, unlock);
}

/** The value of a stat after a write; null if it would leave ±2^53. Never -0. */
export function valueAfter(op: StatRow['op'], current: number | undefined, posted: number): number | null {
  if (op === 'add') {
    const sum = (current ?? 0) + posted + 0;
    return Math.abs(sum) <= maxScore ? sum : null;
  }
  return (op === 'max' && current !== undefined ? Math.max(current, posted) : posted) + 0;
}

/**
 * Writes one value of a stat, over what is `there` and what the same call has written before, and adds the result to
 * that. Returns the new value and the achievements that it unlocks; null if the value would leave ±2^53.
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
