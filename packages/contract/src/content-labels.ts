/** What stands before the rest in those labels of content hosts that are no slug of a live space. */
export const previewPrefix = 'p--';
export const unlistedPrefix = 'u--';

/** Path of our page around what a label serves. */
export function pagePathOf(label: string): string {
  if (label.startsWith(previewPrefix)) return `/preview/${label}`;
  return `/s/${label.startsWith(unlistedPrefix) ? label.slice(unlistedPrefix.length) : label}`;
}
