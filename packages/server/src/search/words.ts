/** Splits texts into words that are compared. Searched texts and typed texts are treated alike. */

/** Longer words are compared by their beginning of this length. */
const longestWord = 40;

/** Scripts with marks over letters that people leave out when they search. */
const markedLetters =
  /(?<letter>[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/** Letters that Unicode does not decompose, and that many keyboards do not have. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Returns a text without case, accents and compatibility forms. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll(markedLetters, '$<letter>');
  return plain.replaceAll(/[ßæœøłđı]/gu, (letter) => plainLetters[letter] ?? letter).normalize('NFC');
}

/** Scripts without spaces between words: any two adjacent letters may be a word. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const runs = new RegExp(
  `(?<row>[${unspaced}]+)|(?<word>(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+)|(?<picture>\\p{Extended_Pictographic}|\\p{Regional_Indicator}{2})`,
  'gu',
);
/** Apostrophes inside a word are left out: `don’t` is `dont`. */
const apostrophes = /(?<=[\p{L}\p{N}])['’ʼ](?=[\p{L}\p{N}])/gu;

interface Run {
  readonly text: string;
  readonly isRow: boolean;
}

const plainWords = /[a-z0-9]+/gu;

function runsOf(text: string): Run[] {
  // A fast path for most texts: it takes a tenth of the time.
  if (/^[\u0000-\u007f]*$/u.test(text)) {
    const words = text.replaceAll(apostrophes, '').toLowerCase().match(plainWords) ?? [];
    return words.map((word) => ({ text: word.slice(0, longestWord), isRow: false }));
  }
  const plain = fold(text.replaceAll(apostrophes, ''));
  return [...plain.matchAll(runs)].map(({ 0: run, groups }) =>
    groups?.row === undefined
      ? { text: firstOf(run, longestWord), isRow: false }
      : { text: run, isRow: true },
  );
}

/**
 * Returns the words of a searched text. A row of letters without spaces gives each pair of adjacent
 * letters, and its last letter.
 */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(({ text, isRow }) =>
    isRow ? [...pairsOf(text), [...text].at(-1) ?? ''] : [text],
  );
}

/** Returns the distinct words of a typed text, at most `most`. */
export function typedWords(text: string, most: number): string[] {
  const words = runsOf(text).flatMap(({ text, isRow }) => {
    const pairs = isRow ? pairsOf(text) : [];
    return pairs.length > 0 ? pairs : [text];
  });
  return [...new Set(words)].slice(0, most);
}

/** Returns a whole text as one word, by which titles are compared with typed texts. */
export function keyOf(text: string): string {
  return runsOf(text)
    .map((run) => run.text)
    .join('_');
}

/** Returns the first `count` characters of a text, without splitting surrogate pairs. */
export function firstOf(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('');
}

function pairsOf(row: string): string[] {
  const letters = [...row];
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
