import type { AccountId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { setEmailVerified } from '../accounts.queries.ts';
import { deleteAllPasskeys } from '../passkeys.queries.ts';
import { revokeTokensOf } from '../tokens.queries.ts';
import { dropAddressLinks } from './address-links.queries.ts';
import { withdrawApprovals } from './approved-codes.queries.ts';

/**
 * Marks the address as confirmed after a password reset: only its owner can read the mail with the link.
 * If it was not confirmed before, somebody else may have made the account. So the passkeys and tokens, by
 * which that person could come back, are deleted. (Sessions, the old password, links to another address
 * and approvals that were not used yet end at every reset.)
 */
export async function proveAddress(tx: Tx, creatorId: AccountId): Promise<void> {
  await dropAddressLinks(tx, creatorId);
  // Approvals end before tokens, so that no exchange under way issues a token after the revocation.
  await withdrawApprovals(tx, creatorId);
  if (!(await setEmailVerified(tx, creatorId))) return;
  await deleteAllPasskeys(tx, creatorId);
  await revokeTokensOf(tx, creatorId);
  tx.announce('creator', creatorId);
}
