import type { Tx } from '../../platform/db/tx.ts';
import { setEmailVerified } from '../accounts.queries.ts';
import { deleteAllPasskeys } from '../passkeys.queries.ts';
import { revokeTokensOf } from '../tokens.queries.ts';
import { dropAddressLinks } from './address-links.queries.ts';

/**
 * Somebody set the password by a link in mail, and so reads the mail of the account's address. Where nobody had shown
 * that before, the account may have been made by somebody else in their name: whatever that one left to come back by,
 * passkeys and tokens, ends. (Sessions, the old password and links to another address end at every reset.)
 */
export async function proveAddress(tx: Tx, creatorId: string): Promise<void> {
  await dropAddressLinks(tx, creatorId);
  if (!(await setEmailVerified(tx, creatorId, tx.now))) return;
  await deleteAllPasskeys(tx, creatorId);
  await revokeTokensOf(tx, creatorId, tx.now);
  tx.announce('creator', creatorId);
}
