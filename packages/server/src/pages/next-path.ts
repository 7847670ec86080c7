/** Where signing in leads to if no page was asked for: more people come to play than to publish. */
export const home = '/';

/**
 * Returns the path to go to after signing in: `next` if it is a path of our own, else `home`. `next` is
 * not trusted: anything that a browser would read as another site's address, in any spelling, is refused.
 */
export function ownPath(next: string | undefined): string {
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  if (next === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) || !next.isWellFormed()) return home;
  const base = 'http://own.invalid';
  const url = URL.parse(next, base);
  if (url === null) return home;
  const path = url.pathname + url.search + url.hash;
  // `/.//evil.example` looks like a path of ours, but its normalised form is another site's address.
  return url.origin === base && !path.startsWith('//') ? path : home;
}

/** Returns a path with a query. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
