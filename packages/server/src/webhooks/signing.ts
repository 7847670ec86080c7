import { createHmac, randomBytes } from 'node:crypto';

/** Signatures by Standard Webhooks 1.0: https://github.com/standard-webhooks/standard-webhooks. */

const keyBytes = 32;

/** Returns a new key in base64, as it is stored. */
export function newKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

/** Returns the key as its owner sees it, and as the libraries of Standard Webhooks take it. */
export function secretOf(key: string): string {
  return `whsec_${key}`;
}

/**
 * Returns the headers of one attempt. They prove that this service sent this body with this id, and when.
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
