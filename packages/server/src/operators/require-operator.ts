import { ServiceError } from '../platform/errors.ts';
import type { Caller, CreatorCaller } from '../platform/http/caller.ts';

/**
 * Returns the operator who calls. The credential `operator` of an operation already keeps others
 * out; this is a second check.
 */
export function requireOperator(caller: Caller): CreatorCaller {
  if (caller.kind === 'creator' && caller.operator && !caller.banned) return caller;
  throw new ServiceError('forbidden', 'Only an operator may do this.');
}
