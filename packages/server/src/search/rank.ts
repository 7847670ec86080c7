import { tierCount } from './tiers.ts';
import { isOneTypoApart } from './typos.ts';
import { wordsOf } from './words.ts';

/** What a rank goes by. */
export interface Candidate {
  /** Of the best tier that it is in. */
  readonly tier: number;
  /** Words of the title, with spaces between. */
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
 * How well a space fits what was typed; more is better. The tier decides, then how many of the words stand whole in the
 * title, how much it is played, how short the title is, and how new the space. Less than 10^15, which a cursor can say.
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

/** Does every word stand in the space, if each is forgiven one typo? The tokens of typos fit some that are two away. */
export function isForgiven(
  words: readonly string[],
  { title, names, description }: { title: string; names: string; description: string | null },
): boolean {
  const forgiving = [...title.split(' '), ...names.split(' ')];
  const strict = wordsOf(description ?? '');
  return words.every(
    (word) =>
      forgiving.some((other) => other.startsWith(word) || isOneTypoApart(word, other)) ||
      strict.some((other) => other.startsWith(word)),
  );
}
