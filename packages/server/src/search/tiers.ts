import type { TokenQuery } from '../platform/db/dialect.ts';
import {
  beginningOfTitle,
  type Field,
  fields,
  tagToken,
  typeToken,
  typoTokens,
  wholeTitle,
  wordToken,
} from './tokens.ts';
import { keyOf, typedWords } from './words.ts';

/** Further words are left out: six common words are enough to find what is meant. */
const mostWords = 6;

/** One way in which a space may match. Results of an earlier tier come before those of a later one. */
export interface Tier {
  /** Starts from 0. */
  readonly place: number;
  readonly query: TokenQuery;
  /** The most results that are ranked. If more match, the engine chooses which. */
  readonly limit: number;
}

export interface Asked {
  /** The text as typed. */
  readonly q: string;
  readonly tag: string | undefined;
  readonly spaceType: string | undefined;
}

/** The tiers to look up, in this order. */
export interface Plan {
  readonly words: readonly string[];
  /** Matches in titles, which rank higher than all others. */
  readonly inTitles: readonly Tier[];
  /**
   * Everything that matches without a typo. If it finds nothing, the tiers in `between` find nothing either.
   */
  readonly anywhere: Tier;
  /** Tiers between `inTitles` and `anywhere`. */
  readonly between: readonly Tier[];
  /**
   * Allows one typo in each word; used if nothing was found without typos. Null if no
   * word is long enough for one.
   */
  readonly forgiving: Tier | null;
}

/** The number of tiers. */
export const tierCount = 7;

/** Plans the look-ups for a typed text; null if it has no word. */
export function planOf({ q, tag, spaceType }: Asked): Plan | null {
  const words = typedWords(q, mostWords);
  if (words.length === 0) return null;
  const key = keyOf(q);
  const narrowed = [
    ...(tag === undefined ? [] : [[tagToken(tag)]]),
    ...(spaceType === undefined ? [] : [[typeToken(spaceType)]]),
  ];
  const tier = (place: number, query: TokenQuery, limit: number): Tier => ({
    place,
    query: [...query, ...narrowed],
    limit,
  });
  const upTo = (last: Field) => {
    const among = fields.slice(0, fields.indexOf(last) + 1);
    return words.map((word) => among.map((field) => wordToken(field, word)));
  };
  const typos = words.map(typoTokens);
  return {
    words,
    inTitles: [
      tier(0, [[wholeTitle(key)]], 20),
      tier(1, [[beginningOfTitle(key)]], 40),
      tier(2, upTo('title'), 40),
    ],
    between: [tier(3, upTo('tags'), 40), tier(4, upTo('description'), 40)],
    anywhere: tier(5, upTo('creator'), 40),
    forgiving: typos.every((own) => own.length === 0)
      ? null
      : tier(
          6,
          words.map((word, index) => [
            // A single word is not looked up as typed: it would have been found before.
            ...(words.length > 1 ? fields.map((field) => wordToken(field, word)) : []),
            ...(typos[index] ?? []),
          ]),
          40,
        ),
  };
}
