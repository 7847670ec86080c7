import { unlistedPrefix } from '@spaceport/contract/content-labels';

/** Returns the label of an unlisted page's own origin on the preview host. */
export function unlistedLabel(slug: string): string {
  return unlistedPrefix + slug;
}

/** Returns the slug in an unlisted label, or null for any other label. */
export function slugOfUnlistedLabel(label: string): string | null {
  return label.startsWith(unlistedPrefix) ? label.slice(unlistedPrefix.length) : null;
}
