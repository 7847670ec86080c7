/** What something is called in a sentence that a player made: by its title, or as what it is. */
export function nameOfMade({ title, kind }: { readonly title: string; readonly kind: string }): string {
  return title === '' ? `a ${kind}` : `«${title}»`;
}
