import { closeAccount } from '../accounts/close-account.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import { requestStanding } from '../moderation/account-standing.ts';
import type { Platform } from '../platform/context.ts';
import { lockSpacesOf, releaseAddressesOf } from '../spaces/spaces.ts';
import { markAllDeleted } from './own-space-states.ts';

/**
 * Deletes an account with its spaces. Everything that names it or signs it in is deleted at once; a job
 * deletes what it has in other spaces.
 * @throws `conflict` if it is the only operator, `unauthorized` if the session has ended
 */
export async function deleteAccount(
  platform: Platform,
  session: Pick<Session, 'id' | 'creator' | 'email'>,
): Promise<void> {
  const { id } = session.creator;
  await platform.database.transaction(async (tx) => {
    const closeSpaces = async () => {
      await markAllDeleted(tx, id, await lockSpacesOf(tx, id));
      // Nobody can restore them, so others may list their pages at once.
      await releaseAddressesOf(tx, id);
    };
    // Publishing locks a space before its account, so this does too. After the account is locked no space can
    // be added, and the second call finds those that were added meanwhile.
    await closeSpaces();
    await closeAccount(platform, tx, session);
    await closeSpaces();
    await requestStanding(tx, id);
  });
}
