/** Returns one of the twelve tints, always the same for a name. */
export function tintOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return `tint-${sum % 12}`;
}

/** Returns the first letter or digit of a title. */
export function initialOf(title: string): string {
  return /[\p{L}\p{N}]/u.exec(title)?.[0] ?? '·';
}
