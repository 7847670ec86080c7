import type { CheckedVersion } from '../rule.ts';

/**
 * Returns the host of another site that a URL of a page leads to; null if it stays on the site, or leads to
 * no host (`mailto:`, `data:`, not a URL). http and https of one host count as one site.
 * @param base the page's `<base href>`
 */
export function offSiteHost(
  url: string,
  version: Pick<CheckedVersion, 'origin'>,
  path: string,
  base: string | null = null,
): string | null {
  const page = new URL(encodePath(path), `${version.origin}/`);
  const from = base === null ? page : (URL.parse(base, page) ?? page);
  const target = URL.parse(url, from);
  if (!target || (target.protocol !== 'http:' && target.protocol !== 'https:')) return null;
  return target.host === page.host ? null : target.host;
}

/** Encodes a path of a version for a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
