import type { CallError, Code, Json } from '@spaceport/contract/sdk-protocol';
import type { SpaceportError } from './types.ts';

/** Returns the error that a call is rejected with. `more` has the fields besides code and message. */
export function fault(code: Code, message: string, more: Partial<CallError> = {}): SpaceportError {
  return Object.assign(new Error(message), { name: 'SpaceportError', ...more, code });
}

export function isFault(error: unknown): error is SpaceportError & Pick<CallError, 'detail'> {
  return error instanceof Error && error.name === 'SpaceportError';
}

/**
 * Returns a copy of the data that a space passes, as JSON stores it.
 * @throws `invalid` for a value that JSON cannot represent
 */
export function copyOf(data: Json): Json;
export function copyOf(data: Json | Uint8Array): Json | Uint8Array;
export function copyOf(data: Json | Uint8Array): Json | Uint8Array {
  if (data instanceof Uint8Array) return data.slice();
  try {
    return JSON.parse(JSON.stringify(data));
  } catch {
    throw fault('invalid', 'data must be JSON, or a Uint8Array where bytes are taken');
  }
}
