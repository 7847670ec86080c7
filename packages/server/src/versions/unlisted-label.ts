/** The label of an unlisted page's own origin on the preview host (contract §8). */
export function unlistedLabel(slug: string): string {
  return `u--${slug}`;
}

/** The slug an unlisted label names, or null for any other label. */
export function slugOfUnlistedLabel(label: string): string | null {
  return label.startsWith('u--') ? label.slice(3) : null;
}
