import type { Platform } from '../../platform/context.ts';
import { setEmailVerified } from '../accounts.queries.ts';
import { revokeTokensOf } from '../tokens.queries.ts';
import { dropAddressLinks } from './address-links.queries.ts';

/**
 * Somebody set the password by a link in mail, and so reads the mail of the account's address. Where nobody had shown
 * that before, the account may have been made by somebody else in their name: whatever that one left to come back by,
 * passkeys and tokens, ends. (Sessions, the old password and links to another address end at every reset.)
 */
export async function proveAddress(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  creatorId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await dropAddressLinks(tx, creatorId);
    if (!(await setEmailVerified(tx, creatorId, clock.now()))) return;
    await tx.db.deleteFrom('auth_passkeys').where('creator_id', '=', creatorId).execute();
    await revokeTokensOf(tx, creatorId, clock.now());
    tx.announce('creator', creatorId);
  });
}
