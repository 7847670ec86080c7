/**
 * Where to go after signing in: a path of our own, or `fallback`. Links are not trusted: whatever a browser would read
 * as another site's address, however it is spelled, is refused.
 */
export function ownPath(next: string | undefined, fallback: string): string {
  // Browsers take a backslash for a slash, and drop tabs and line breaks.
  if (next === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) || !next.isWellFormed()) return fallback;
  const base = 'http://own.invalid';
  if (!URL.canParse(next, base)) return fallback;
  const url = new URL(next, base);
  const path = url.pathname + url.search + url.hash;
  // `/.//evil.example` is a path of ours whose normal spelling is not.
  return url.origin === base && !path.startsWith('//') ? path : fallback;
}

/** A path of ours with a query. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
