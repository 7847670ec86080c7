import type { CheckedVersion } from '../rule.ts';

/**
 * The host that a URL of a page leads away to; null where it stays on the site, or leads nowhere in the web (`mailto:`,
 * `data:`, no URL at all). http and https of one host are one site here.
 * @param base the page's `<base href>`.
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

/** A path of a version as a URL writes it. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
