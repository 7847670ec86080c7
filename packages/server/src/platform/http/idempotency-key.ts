import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { idempotencyHeader, replayedHeader } from '@spaceport/contract/server-calls';
import { ServiceError } from '../errors.ts';

/** What is common to the operations that take an `Idempotency-Key`. Each stores what it has answered itself. */

/** How long an answer is given again, in ms. */
export const keptForMs = 24 * 3_600_000;

/** The headers of an answer that was given before. */
export const replayedHeaders: Readonly<Record<string, string>> = { [replayedHeader]: 'true' };

const printable = /^[\x20-\x7e]{1,128}$/u;

/**
 * Returns the key of a request; null if it has none.
 * @throws `invalid`
 */
export function readGivenKey(headers: IncomingHttpHeaders): string | null {
  const key = headers[idempotencyHeader];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !printable.test(key))
    throw wrongKey('must be 1 to 128 printable ASCII characters');
  return key;
}

/** @param message what is wrong with the key, as the end of a sentence */
export function wrongKey(message: string): ServiceError {
  return new ServiceError('invalid', `The Idempotency-Key header ${message}.`, {
    issues: [{ path: idempotencyHeader, message }],
  });
}

/** Returns a hash that tells another request with the same key. */
export function hashRequest(operationId: string, asked: unknown): string {
  return hash('sha256', `${operationId} ${JSON.stringify(asked)}`);
}

/** The error for a key that was used with another request. */
export function usedWithAnother(): ServiceError {
  return new ServiceError('conflict', 'This Idempotency-Key was used with another request in the last day.', {
    next: () => 'Another request needs a key of its own: send it with a new one.',
  });
}
