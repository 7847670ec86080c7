import { createHmac, randomBytes } from 'node:crypto';

/** Signatures as Standard Webhooks 1.0 has them: https://github.com/standard-webhooks/standard-webhooks. */

const keyBytes = 32;

/** A new key, as it is kept: base64. */
export function newKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

/** The key as its owner is shown it, and as the libraries of Standard Webhooks take it. */
export function secretOf(key: string): string {
  return `whsec_${key}`;
}

/**
 * The headers of one attempt: who reads them can tell that we sent this body under this id, and when.
 * @param now epoch milliseconds; the header has seconds
 */
export function signatureHeaders(
  key: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const mac = createHmac('sha256', Buffer.from(key, 'base64'));
  const signature = mac.update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
