/** Returns the number of Unicode code points, as the service counts. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Returns a sentence if a text is too long; undefined if it is not. */
export function tooLong(text: string, max: number): string | undefined {
  const over = countCharacters(text) - max;
  if (over <= 0) return undefined;
  return over === 1 ? 'Remove one character.' : `Remove ${over} characters.`;
}
