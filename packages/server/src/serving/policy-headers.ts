import type { MediaType } from './media-types.ts';

/** Header names and values in turn, as node:http takes them raw. */
export type FlatHeaders = string[];

export interface Policy {
  readonly appOrigin: string;
  /** Previews and unlisted spaces: never indexed, never stored. */
  readonly temporary: boolean;
  readonly isolated: boolean;
  /** What browsers are told to ask for meanwhile: the value of a `Link` header. */
  readonly link?: string | undefined;
}

/** Who may frame content: the app, and a space's own pages among themselves. */
export function frameAncestors(appOrigin: string): string {
  return `frame-ancestors 'self' ${appOrigin}`;
}

/**
 * What every content answer carries (security.md, "Origins").
 *
 * Cross-Origin-Resource-Policy is `cross-origin`: the app's page is on another site and frames isolated spaces
 * under COEP, which needs it; and it shows icons out of a space. Content is public and without cookies, so
 * there is nothing that a narrower policy would keep from anybody.
 */
export function policyHeaders(policy: Policy, media: MediaType): FlatHeaders {
  const headers = [
    'Content-Security-Policy',
    `${frameAncestors(policy.appOrigin)}; object-src 'none'; base-uri 'self'`,
    ...commonHeaders,
  ];
  if (policy.temporary) headers.push('X-Robots-Tag', 'noindex');
  if (policy.link !== undefined) headers.push('Link', policy.link);
  // A worker's script needs the embedder policy of the page that starts it, and scripts cannot be told apart.
  if (policy.isolated && media.role !== 'other') {
    headers.push(
      'Cross-Origin-Opener-Policy',
      'same-origin',
      'Cross-Origin-Embedder-Policy',
      'credentialless',
    );
  }
  return headers;
}

export const commonHeaders: Readonly<FlatHeaders> = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  // A version's pages name it to their own host, and nothing to others.
  'same-origin',
  'Origin-Agent-Cluster',
  '?1',
  'Permissions-Policy',
  'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** Of what never changes at its address. */
export const forever = 'public, max-age=31536000, immutable';

export function cacheControl(policy: Policy, media: MediaType): string {
  if (policy.temporary) return 'private, no-store';
  return media.role === 'page' ? 'no-cache' : 'public, max-age=0, must-revalidate';
}
