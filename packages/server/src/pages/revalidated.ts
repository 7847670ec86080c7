import { createHash } from 'node:crypto';

/** Returns headers for public content that caches must revalidate each time. The ETag makes that cheap. */
export function revalidated(body: Buffer | string): Record<string, string> {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { 'cache-control': 'public, max-age=0, must-revalidate', etag: `"${digest}"` };
}
