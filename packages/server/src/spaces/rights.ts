import { isBanned } from '../accounts/ban.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller, CreatorCaller } from '../platform/http/caller.ts';

/** @throws `unauthorized` for a caller without an account */
export function requireCreator(caller: Caller): CreatorCaller {
  if (caller.kind === 'creator') return caller;
  throw new ServiceError(
    'unauthorized',
    'An API token is needed: send it as «Authorization: Bearer <API token>».',
  );
}

/** @throws `forbidden` for a banned account, which may look at its spaces but not change them */
export function requireActive(caller: Caller): CreatorCaller {
  const creator = requireCreator(caller);
  if (creator.banned) throw new ServiceError('forbidden', 'This account cannot publish.');
  return creator;
}

/**
 * Returns an account that may list and publish spaces.
 * @throws `forbidden` and `no_handle`
 */
export function requireLister(caller: Caller): CreatorCaller & { readonly handle: string } {
  const creator = requireActive(caller);
  if (creator.handle === null) throw new ServiceError('no_handle', 'Pick a handle before publishing.');
  return { ...creator, handle: creator.handle };
}

/** @throws `forbidden` if the account was banned since the request began: it gets no space and no version */
export async function requireNotBanned(tx: Tx, creatorId: AccountId): Promise<void> {
  if (await isBanned(tx, creatorId)) throw new ServiceError('forbidden', 'This account is banned.');
}
