import { tierCount } from './tiers.ts';
import { isOneTypoApart, isOneTypoFromBeginning } from './typos.ts';
import { wordsOf } from './words.ts';

/** The facts that a rank is computed from. */
export interface Candidate {
  /** The best tier that found the space. */
  readonly tier: number;
  /** Words of the title, separated by spaces. */
  readonly title: string;
  readonly plays: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const mostWhole = 9;
const mostBrevity = 32;
const mostFame = 16;
const secondsRange = 2 ** 31;

/**
 * Returns how well a space fits the typed text; higher is better. The tier decides first, then how many of
 * the words are whole words of the title, how much the space is played, how short the title is, and how new
 * the space is. The score is below 10^15, so that it fits a cursor.
 */
export function scoreOf({ tier, title, plays, createdAt }: Candidate, words: readonly string[]): number {
  const inTitle = title.split(' ');
  const has = new Set(inTitle);
  const whole = Math.min(words.filter((word) => has.has(word)).length, mostWhole - 1);
  const fame = Math.min(Math.floor(Math.log2(plays + 1) / 1.5), mostFame - 1);
  const brevity = mostBrevity - Math.min(inTitle.length, mostBrevity);
  const places: readonly (readonly [value: number, range: number])[] = [
    [tierCount - 1 - tier, tierCount],
    [whole, mostWhole],
    [fame, mostFame],
    [brevity, mostBrevity],
    [Math.min(Math.max(Math.floor(createdAt / 1000), 0), secondsRange - 1), secondsRange],
  ];
  return places.reduce((score, [value, range]) => score * range + value, 0);
}

/**
 * Returns whether every word is in the space with at most one typo, in whole words or also in `beginnings`. This is
 * checked because tokens for typos also match words that are two typos away.
 */
export function isForgiven(
  words: readonly string[],
  { title, names, description }: { title: string; names: string; description: string | null },
  { beginnings }: { beginnings: boolean },
): boolean {
  const forgiving = [...title.split(' '), ...names.split(' ')];
  const strict = wordsOf(description ?? '');
  return words.every(
    (word) =>
      forgiving.some(
        (other) =>
          other.startsWith(word) ||
          isOneTypoApart(word, other) ||
          (beginnings && isOneTypoFromBeginning(word, other)),
      ) || strict.some((other) => other.startsWith(word)),
  );
}
