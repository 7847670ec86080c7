import type { AccountId } from '../platform/db/ids.ts';
import type { Caller } from '../platform/http/caller.ts';

/** Who plays, as the request says: an account with or without a handle, a guest by a key, or nobody that is known. */
export type PlayCaller =
  | { readonly kind: 'account'; readonly playerId: AccountId; readonly handle: string | null }
  | { readonly kind: 'guest'; readonly keyHash: string }
  | { readonly kind: 'nobody' };

export function playCallerOf(caller: Caller): PlayCaller {
  if (caller.kind === 'creator')
    return { kind: 'account', playerId: caller.creatorId, handle: caller.handle };
  return caller.kind === 'guest' ? caller : { kind: 'nobody' };
}
