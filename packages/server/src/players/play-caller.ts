import type { AccountId } from '../platform/db/ids.ts';
import type { Caller } from '../platform/http/caller.ts';

/** The player of a request: an account with or without a handle, a guest with a key, or nobody known. */
export type PlayCaller =
  | { readonly kind: 'account'; readonly playerId: AccountId; readonly handle: string | null }
  | { readonly kind: 'guest'; readonly keyHash: string }
  | { readonly kind: 'nobody' };

export function playCallerOf(caller: Caller): PlayCaller {
  if (caller.kind === 'creator')
    return { kind: 'account', playerId: caller.creatorId, handle: caller.handle };
  return caller.kind === 'guest' ? caller : { kind: 'nobody' };
}
