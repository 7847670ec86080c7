import type { AccountId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { setEmailVerified } from '../accounts.queries.ts';
import { deleteAllPasskeys } from '../passkeys.queries.ts';
import { revokeTokensOf } from '../tokens.queries.ts';
import { dropAddressLinks } from './address-links.queries.ts';

/**
 * Somebody set the password by a link in mail, so they read the mail of the account's address. If the address was not
 * confirmed before, somebody else may have made the account in their name: passkeys and tokens, by which that person
 * could come back, end. (Sessions, the old password and links to another address end at every reset.)
 */
export async function proveAddress(tx: Tx, creatorId: AccountId): Promise<void> {
  await dropAddressLinks(tx, creatorId);
  if (!(await setEmailVerified(tx, creatorId, tx.now))) return;
  await deleteAllPasskeys(tx, creatorId);
  await revokeTokensOf(tx, creatorId, tx.now);
  tx.announce('creator', creatorId);
}
