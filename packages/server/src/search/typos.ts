/** Shorter words have too many neighbours, longer ones are seldom typed. */
const shortest = 4;
const longest = 24;

/**
 * A word and all that is left of it when one letter is taken out. Two words that differ in one letter, in one more or one
 * less, or in two that changed places have one of these in common.
 */
export function traces(word: string): string[] {
  const letters = [...word];
  if (letters.length < shortest || letters.length > longest) return [];
  return [...new Set([word, ...letters.map((_, index) => without(letters, index))])];
}

function without(letters: readonly string[], index: number): string {
  return letters.toSpliced(index, 1).join('');
}

/** Is one word the other with a letter changed, more, less, or with two neighbours swapped? */
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
