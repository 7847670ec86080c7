/**
 * Returns an Idempotency-Key for one publish: 128 random bits, which nobody else has. `crypto.randomUUID` is absent on
 * pages without https.
 */
export function newCreateKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
