import { fromJson } from '../platform/db/json.ts';
import type { TokenQuery } from '../platform/db/token-query.ts';
import type { FoundRow } from './search.queries.ts';
import {
  beginningOfTitle,
  type Field,
  fields,
  isBeginningOfOne,
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

export const mostInTier = 40;

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
  /** Matches in titles, which rank higher than all others. Each finds what those before it find. */
  readonly inTitles: readonly Tier[];
  /** Everything that matches without a typo. */
  readonly anywhere: Tier;
  /** Tiers between `inTitles` and `anywhere`, for when that finds more than its limit. */
  readonly between: readonly [ofTags: Tier, ofDescription: Tier];
  /**
   * Allows one typo in each word; used if nothing was found without typos. Null if no
   * word is long enough for one.
   */
  readonly forgiving: Tier | null;
  /** Allows the typos in beginnings of words too; used if nothing was found before. Null as above. */
  readonly unfinished: Tier | null;
}

/** The number of tiers. */
export const tierCount = 8;

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
  /** Each word has one of its own tokens for typos, or stands as typed among others. */
  const orAsTyped = (place: number, typos: readonly (readonly string[])[]) =>
    typos.every((own) => own.length === 0)
      ? null
      : tier(
          place,
          words.map((word, index) => [
            // A single word is not looked up as typed: it would have been found before.
            ...(words.length > 1 ? fields.map((field) => wordToken(field, word)) : []),
            ...(typos[index] ?? []),
          ]),
          mostInTier,
        );
  return {
    words,
    inTitles: [
      tier(0, [[wholeTitle(key)]], 20),
      // The words count too, because only so many letters of the beginning are compared.
      tier(1, [[beginningOfTitle(key)], ...upTo('title')], mostInTier),
      tier(2, upTo('title'), mostInTier),
    ],
    between: [tier(3, upTo('tags'), mostInTier), tier(4, upTo('description'), mostInTier)],
    anywhere: tier(5, upTo('creator'), mostInTier),
    forgiving: orAsTyped(6, words.map(typoTokens)),
    unfinished: words.every((word) => typoTokensOfBeginning(word).length === 0)
      ? null
      : orAsTyped(
          7,
          words.map((word) => [...typoTokens(word), ...typoTokensOfBeginning(word)]),
        ),
  };
}

/** Returns the query for spaces that have a word in any field. */
export function anywhereWith(word: string): TokenQuery {
  return [fields.map((field) => wordToken(field, word))];
}

/**
 * Returns the best tier of a row. `anywhere` does not say where it found a word, and the tiers in between are
 * looked up only if it found more than its limit. A word that is in the creator's name counts as found there,
 * although the description may have it too.
 */
export function bestTier(
  { words, anywhere, between: [ofTags, ofDescription] }: Plan,
  { tier, title, names, tags }: Pick<FoundRow, 'tier' | 'title' | 'names' | 'tags'>,
): number {
  if (tier !== anywhere.place) return tier;
  const tagWords = wordsOf(fromJson(tags).join(' '));
  const strong = [...title.split(' '), ...tagWords];
  const creator = names.split(' ').slice(tagWords.length);
  const others = words.filter((word) => !isBeginningOfOne(strong, word));
  if (others.length === 0) return ofTags.place;
  return others.some((word) => isBeginningOfOne(creator, word)) ? tier : ofDescription.place;
}
