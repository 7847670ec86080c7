import { ServiceError } from '../platform/errors.ts';
import type { Caller, CreatorCaller } from '../platform/http/caller.ts';

/**
 * The operator who calls. Operations with the credential `operator` let nobody else through; this checks it once more.
 */
export function requireOperator(caller: Caller): CreatorCaller {
  if (caller.kind === 'creator' && caller.operator && !caller.banned) return caller;
  throw new ServiceError('forbidden', 'Only an operator may do this.');
}
