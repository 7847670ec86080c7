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
