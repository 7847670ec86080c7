/** Prefixes of the content host labels that are not slugs of live spaces. */
export const previewPrefix = 'p--';
export const unlistedPrefix = 'u--';

/** Returns the path of the service's page that frames the content of a label. */
export function pagePathOf(label: string): string {
  if (label.startsWith(previewPrefix)) return `/preview/${label}`;
  return `/s/${label.startsWith(unlistedPrefix) ? label.slice(unlistedPrefix.length) : label}`;
}
