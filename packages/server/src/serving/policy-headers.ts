import type { EmbedderPolicy } from '../platform/http/embedder-policy.ts';
import { permissionsPolicy } from '../platform/http/permissions-policy.ts';
import type { MediaType } from './media-types.ts';

/** Header names and values, alternating, as node:http takes raw headers. */
export type FlatHeaders = string[];

export interface Policy {
  readonly appOrigin: string;
  /** Previews and unlisted spaces: never indexed, never stored. */
  readonly temporary: boolean;
  /** How its pages are isolated; null if they are not. */
  readonly isolatedBy: EmbedderPolicy | null;
  /** The value of a `Link` header with the files to preload. */
  readonly link?: string | undefined;
}

/** Returns the policy for frames: the app may frame content, and a space's own pages each other. */
export function frameAncestors(appOrigin: string): string {
  return `frame-ancestors 'self' ${appOrigin}`;
}

/**
 * Returns the headers of every content response (docs/security.md, "Origins").
 *
 * Cross-Origin-Resource-Policy is `cross-origin`. The app's page is on another site and frames isolated
 * spaces under COEP, which needs it; it also shows icons from a space. Content is public and without cookies,
 * so a narrower policy would protect nothing.
 */
export function policyHeaders(policy: Policy, media: MediaType): FlatHeaders {
  const headers = [
    'Content-Security-Policy',
    `${frameAncestors(policy.appOrigin)}; object-src 'none'; base-uri 'self'`,
    ...commonHeaders,
  ];
  if (policy.temporary) headers.push('X-Robots-Tag', 'noindex');
  if (policy.link !== undefined) headers.push('Link', policy.link);
  // A worker's script needs the embedder policy of the page that starts it, and worker scripts look like
  // other scripts.
  if (policy.isolatedBy !== null && isIsolated(policy, media)) {
    headers.push(
      'Cross-Origin-Opener-Policy',
      'same-origin',
      'Cross-Origin-Embedder-Policy',
      policy.isolatedBy,
    );
  }
  return headers;
}

/** Returns whether the answer isolates: then it differs by browser. */
export function isIsolated({ isolatedBy }: Policy, { role }: MediaType): boolean {
  return isolatedBy !== null && role !== 'other';
}

export const commonHeaders: Readonly<FlatHeaders> = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  // Pages of a version send their address to their own host only.
  'same-origin',
  'Origin-Agent-Cluster',
  '?1',
  'Permissions-Policy',
  permissionsPolicy,
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** The Cache-Control of bytes that never change at their address. */
export const forever = 'public, max-age=31536000, immutable';

export function cacheControl(policy: Policy, media: MediaType): string {
  if (policy.temporary) return 'private, no-store';
  return media.role === 'page' ? 'no-cache' : 'public, max-age=0, must-revalidate';
}
