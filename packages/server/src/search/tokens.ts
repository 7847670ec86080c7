import { traces, tracesOfBeginning, tracesOfBeginnings } from './typos.ts';
import { firstOf, keyOf, wordsOf } from './words.ts';

/** The texts of a space that a search covers. */
export interface Searchable {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Handle and name, if they are shown. */
  readonly creator: string;
  readonly spaceType: string;
}

/** Best first: a match in the title ranks higher than matches elsewhere. */
export const fields = ['title', 'tags', 'description', 'creator'] as const;
export type Field = (typeof fields)[number];

const marks: Readonly<Record<Field, string>> = { title: 't', tags: 'g', description: 'd', creator: 'c' };
/** Words are compared by this many letters at most. */
const comparedLetters = 10;
/**
 * Shorter words of a description are found only as whole words, because half of all words
 * begin with any three letters.
 */
const shortestInDescription = 4;
const comparedOfTitle = 16;
const comparedOfWholeTitle = 60;

/**
 * Returns the tokens by which a space is found. A word has one token for each of its beginnings, so that a
 * search looks up only whole tokens, however little was typed. An engine's own prefix search would read
 * every word with that prefix.
 */
export function tokensOf(space: Searchable): string[] {
  const key = keyOf(space.title);
  const texts: Readonly<Record<Field, string>> = {
    title: space.title,
    tags: space.tags.join(' '),
    description: space.description ?? '',
    creator: space.creator,
  };
  const tokens = new Set([typeToken(space.spaceType), ...space.tags.map(tagToken)]);
  if (key !== '') tokens.add(wholeTitle(key));
  for (const beginning of beginnings(key, 1, comparedOfTitle)) tokens.add(`s_${beginning}`);
  for (const field of fields) {
    const least = field === 'description' ? shortestInDescription : 1;
    for (const word of wordsOf(texts[field])) {
      for (const beginning of beginnings(word, least, comparedLetters))
        tokens.add(`${marks[field]}_${beginning}`);
      if (field === 'description') continue;
      for (const trace of traces(word)) tokens.add(`x_${trace}`);
      for (const trace of tracesOfBeginnings(word)) tokens.add(`y_${trace}`);
    }
  }
  return [...tokens];
}

function beginnings(word: string, least: number, most: number): string[] {
  const letters = [...word];
  if (letters.length === 0) return [];
  if (letters.length < least) return [word];
  const count = Math.min(letters.length, most) - least + 1;
  return Array.from({ length: count }, (_, index) => letters.slice(0, least + index).join(''));
}

/** Returns the token of a word, or of its beginning, in a field. */
export function wordToken(field: Field, word: string): string {
  return `${marks[field]}_${firstOf(word, comparedLetters)}`;
}

/** Returns whether `wordToken` of the word is a token of one of these words, which are no description's. */
export function isBeginningOfOne(others: readonly string[], word: string): boolean {
  const beginning = firstOf(word, comparedLetters);
  return others.some((other) => other.startsWith(beginning));
}

/** Returns the tokens that match a word with one letter too many, missing, wrong or swapped. */
export function typoTokens(word: string): string[] {
  return traces(word).map((trace) => `x_${trace}`);
}

/** Like `typoTokens`, for words that begin so; none for a word that is too short. */
export function typoTokensOfBeginning(word: string): string[] {
  return tracesOfBeginning(word).map((trace) => `y_${trace}`);
}

export function wholeTitle(key: string): string {
  return `e_${firstOf(key, comparedOfWholeTitle)}`;
}

export function beginningOfTitle(key: string): string {
  return `s_${firstOf(key, comparedOfTitle)}`;
}

/** Returns whether `beginningOfTitle` has all of a text. Then the titles that begin with it have all of its words. */
export function isWholeBeginning(key: string): boolean {
  return firstOf(key, comparedOfTitle) === key;
}

export function typeToken(type: string): string {
  return `type_${type}`;
}

export function tagToken(tag: string): string {
  return `tag_${tag}`;
}
