/** Shorter words have too many similar words; longer ones are seldom typed. */
const shortest = 4;
const longest = 24;

/**
 * Returns a word, and each text that is left when one letter of it is removed. Two words have one of these in
 * common if they differ in one letter, one has a letter more, or two letters are swapped.
 */
export function traces(word: string): string[] {
  const letters = [...word];
  if (letters.length < shortest || letters.length > longest) return [];
  return [...new Set([word, ...letters.map((_, index) => without(letters, index))])];
}

/** Shorter beginnings are similar to those of too many words. */
const shortestBeginning = 5;
const comparedOfBeginning = 7;

/**
 * Returns the traces of a word's beginnings, which it shares with those of `tracesOfBeginning` for a text that is one
 * typo apart from one of its beginnings.
 */
export function tracesOfBeginnings(word: string): string[] {
  const letters = [...word];
  const found = new Set<string>();
  // One letter more than is compared, because it may be missing in the text.
  for (let count = shortestBeginning; count <= Math.min(letters.length, comparedOfBeginning + 1); count++)
    for (const trace of traces(letters.slice(0, count).join(''))) found.add(trace);
  return [...found];
}

/** Returns the traces of a typed text that may be the beginning of a word; none if it is too short. */
export function tracesOfBeginning(typed: string): string[] {
  const letters = [...typed];
  return letters.length < shortestBeginning ? [] : traces(letters.slice(0, comparedOfBeginning).join(''));
}

/** Returns whether a text of five letters or more is one typo apart from a beginning of the word. */
export function isOneTypoFromBeginning(typed: string, word: string): boolean {
  const { length } = [...typed];
  if (length < shortestBeginning) return false;
  const letters = [...word];
  return [length - 1, length, length + 1].some(
    (count) => count <= letters.length && isOneTypoApart(typed, letters.slice(0, count).join('')),
  );
}

function without(letters: readonly string[], index: number): string {
  return letters.toSpliced(index, 1).join('');
}

/** Returns whether two words differ by one changed, added or removed letter, or by two swapped neighbours. */
export function isOneTypoApart(one: string, other: string): boolean {
  const [left, right] = [[...one], [...other]];
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  const rest = (letters: readonly string[], from: number) => letters.slice(from).join('');
  return (
    rest(left, at + 1) === rest(right, at + 1) ||
    rest(left, at) === rest(right, at + 1) ||
    rest(left, at + 1) === rest(right, at) ||
    (left[at] === right[at + 1] && left[at + 1] === right[at] && rest(left, at + 2) === rest(right, at + 2))
  );
}
