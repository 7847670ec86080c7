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

export interface Plan {
  readonly words: readonly string[];
  /** Groups of tiers, each looked up at once: a later one where those before it did not find enough. */
  readonly steps: readonly (readonly Tier[])[];
  /** Forgives one typo in each word: where nothing was found without. */
  readonly forgiving: Tier;
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
  return {
    words,
    steps: [
      [
        tier(0, [[wholeTitle(key)]], 20),
        tier(1, [[beginningOfTitle(key)]], 40),
        tier(2, upTo('title'), 40),
        tier(3, upTo('tags'), 40),
      ],
      [tier(4, upTo('description'), 40), tier(5, upTo('creator'), 40)],
    ],
    forgiving: tier(
      6,
      words.map((word) => [...fields.map((field) => wordToken(field, word)), ...typoTokens(word)]),
      40,
    ),
  };
}
