import type { CallError, Code } from '@spaceport/contract/sdk-protocol';
import type { SpaceportError } from './types.ts';

/** Returns the error that a call is rejected with. `more` has the fields besides code and message. */
export function fault(code: Code, message: string, more: Partial<CallError> = {}): SpaceportError {
  return Object.assign(new Error(message), { name: 'SpaceportError', ...more, code });
}

export function isFault(error: unknown): error is SpaceportError & Pick<CallError, 'detail'> {
  return error instanceof Error && error.name === 'SpaceportError';
}
