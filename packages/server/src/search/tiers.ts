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

/** More words are left out: what has six of them in common is what was meant. */
const mostWords = 6;

/** One way in which a space may fit: those of an earlier one come before those of a later one. */
export interface Tier {
  /** From 0. */
  readonly place: number;
  readonly query: TokenQuery;
  /** So many are ranked; where more fit, which of them is the engine's choice. */
  readonly limit: number;
}

export interface Asked {
  /** As typed. */
  readonly q: string;
  readonly tag: string | undefined;
  readonly spaceType: string | undefined;
}

/** What to look up, in this order. */
export interface Plan {
  readonly words: readonly string[];
  /** In titles: what fits there is better than whatever fits elsewhere. */
  readonly inTitles: readonly Tier[];
  /** Everything that fits without a typo: where it finds nothing, none of the others does. */
  readonly anywhere: Tier;
  /** Between the two. */
  readonly between: readonly Tier[];
  /** Forgives one typo in each word: where nothing was found without. Null where no word is long enough for one. */
  readonly forgiving: Tier | null;
}

/** As many as there are tiers. */
export const tierCount = 7;

/** What to look up for what somebody typed; null where it has no word. */
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
            // A word that is alone stands nowhere as it is typed: else it was found.
            ...(words.length > 1 ? fields.map((field) => wordToken(field, word)) : []),
            ...(typos[index] ?? []),
          ]),
          40,
        ),
  };
}
