import { findBansOf } from '../boards/boards.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';

/** Whether an account may not play this space, or anything here. Guests are not banned: they have no account. */
export async function isBannedFrom(
  { database }: Pick<Platform, 'database'>,
  spaceId: SpaceId,
  account: AccountId | null,
): Promise<boolean> {
  if (account === null) return false;
  const isBanned = await database.transaction((tx) => findBansOf(tx, [spaceId], [account]));
  return isBanned(spaceId, account);
}
