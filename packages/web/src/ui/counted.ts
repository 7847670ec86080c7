/** Characters as a person counts them, and as the service does: Unicode code points. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** What to do where a text is longer than it may be; undefined if it is not. */
export function tooLong(text: string, max: number): string | undefined {
  const over = countCharacters(text) - max;
  if (over <= 0) return undefined;
  return over === 1 ? 'Remove one character.' : `Remove ${over} characters.`;
}
