/** Returns the name of a player's item for a sentence: its title, or its kind. */
export function nameOfMade({ title, kind }: { readonly title: string; readonly kind: string }): string {
  return title === '' ? `a ${kind}` : `«${title}»`;
}
