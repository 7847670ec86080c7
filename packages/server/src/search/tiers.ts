import { fromJson } from '../platform/db/json.ts';
import type { TokenQuery } from '../platform/db/token-query.ts';
import type { FoundRow } from './search.queries.ts';
import {
  beginningOfTitle,
  type Field,
  fields,
  isBeginningOfOne,
  isWholeBeginning,
  tagToken,
  typeToken,
  typoTokens,
  typoTokensOfBeginning,
  wholeTitle,
  wordToken,
} from './tokens.ts';
import { keyOf, typedWords, wordsOf } from './words.ts';

/** Further words are left out: six common words are enough to find what is meant. */
const mostWords = 6;

/** The tiers: the ways in which a space may match. Results of an earlier tier come before those of a later one. */
export const tiers = {
  wholeTitle: 0,
  beginningOfTitle: 1,
  title: 2,
  tags: 3,
  description: 4,
  anywhere: 5,
  forgiving: 6,
  unfinished: 7,
} as const;
export type TierName = keyof typeof tiers;

type MayBeMissing = 'forgiving' | 'unfinished';

export const tierCount = Object.keys(tiers).length;

/** Returns the most results of a tier that are ranked. If more match, the engine chooses which. */
export function mostIn(tier: TierName): number {
  return tier === 'wholeTitle' ? 20 : 40;
}

export interface Asked {
  /** The text as typed. */
  readonly q: string;
  readonly tag: string | undefined;
  readonly spaceType: string | undefined;
}

export interface Plan {
  readonly words: readonly string[];
  /**
   * The look-ups. The first three are for titles, and each finds what those before it find. `anywhere` finds everything
   * that matches without a typo, and `description` is for when that is more than its limit. `forgiving` allows one typo
   * in each word and is used if nothing was found without; `unfinished` also allows typos in beginnings of words, and is
   * used if nothing was found before. Both are null if no word is long enough for a typo.
   */
  readonly queries: Readonly<
    Record<Exclude<TierName, MayBeMissing>, TokenQuery> & Record<MayBeMissing, TokenQuery | null>
  >;
}

/** Plans the look-ups for a typed text; null if it has no word. */
export function planOf({ q, tag, spaceType }: Asked): Plan | null {
  const words = typedWords(q, mostWords);
  if (words.length === 0) return null;
  const key = keyOf(q);
  const narrowing = [
    ...(tag === undefined ? [] : [[tagToken(tag)]]),
    ...(spaceType === undefined ? [] : [[typeToken(spaceType)]]),
  ];
  const upTo = (last: Field) => {
    const among = fields.slice(0, fields.indexOf(last) + 1);
    return [...words.map((word) => among.map((field) => wordToken(field, word))), ...narrowing];
  };
  /** Each word has one of its own tokens for typos, or stands as typed among others. */
  const orAsTyped = (typos: readonly (readonly string[])[]) => {
    if (typos.every((own) => own.length === 0)) return null;
    const each = words.map((word, index) => [
      // A single word is not looked up as typed: it would have been found before.
      ...(words.length > 1 ? fields.map((field) => wordToken(field, word)) : []),
      ...(typos[index] ?? []),
    ]);
    return [...each, ...narrowing];
  };
  return {
    words,
    queries: {
      wholeTitle: [[wholeTitle(key)], ...narrowing],
      // Only so many letters of the beginning are compared, so the words of a longer text count too.
      beginningOfTitle: [[beginningOfTitle(key)], ...(isWholeBeginning(key) ? narrowing : upTo('title'))],
      title: upTo('title'),
      tags: upTo('tags'),
      description: upTo('description'),
      anywhere: upTo('creator'),
      forgiving: orAsTyped(words.map(typoTokens)),
      unfinished: words.every((word) => typoTokensOfBeginning(word).length === 0)
        ? null
        : orAsTyped(words.map(nearTokens)),
    },
  };
}

function nearTokens(word: string): string[] {
  return [...typoTokens(word), ...typoTokensOfBeginning(word)];
}

/** Returns the query for spaces that have a word in any field. */
export function anywhereWith(word: string): TokenQuery {
  return [fields.map((field) => wordToken(field, word))];
}

/** Returns the query for spaces that have a word with a typo; null if it is too short for one. */
export function nearlyWith(word: string): TokenQuery | null {
  const tokens = nearTokens(word);
  return tokens.length === 0 ? null : [tokens];
}

/**
 * Returns the best tier of a row. `anywhere` does not say where it found a word. A word that is in the creator's
 * name counts as found there, although the description may have it too.
 */
export function bestTier(
  words: readonly string[],
  { tier, title, names, tags }: Pick<FoundRow, 'tier' | 'title' | 'names' | 'tags'>,
): number {
  if (tier !== tiers.anywhere) return tier;
  const tagWords = wordsOf(fromJson(tags).join(' '));
  const strong = [...title.split(' '), ...tagWords];
  const creator = names.split(' ').slice(tagWords.length);
  const others = words.filter((word) => !isBeginningOfOne(strong, word));
  if (others.length === 0) return tiers.tags;
  return others.some((word) => isBeginningOfOne(creator, word)) ? tier : tiers.description;
}
