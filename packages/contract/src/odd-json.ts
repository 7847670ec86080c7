/**
 * Returns whether JSON, as `JSON.stringify` writes it, has a NUL or half of a surrogate pair. The service takes
 * both only in bytes. Games that compress the texts that they store write such ones.
 */
export function isOddJson(json: string): boolean {
  // Pairs of backslashes before it are backslashes of the text.
  return /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/u.test(json);
}
