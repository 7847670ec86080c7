import { lockRankings } from '../boards/change-entries.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findSpacesPlayed } from './account-standing.queries.ts';

const batch = 100;

/**
 * Does the work for each space where the account has scores: one space after the other, each in a transaction
 * of its own, under the rankings' lock of the space.
 */
export async function inEachSpacePlayed(
  { database }: Pick<Platform, 'database'>,
  accountId: AccountId,
  signal: AbortSignal,
  work: (tx: Tx, spaceId: SpaceId) => Promise<void>,
): Promise<void> {
  let after = givenId('spc', '');
  for (;;) {
    const spaceIds = await findSpacesPlayed(database.db, accountId, after, batch);
    for (const spaceId of spaceIds) {
      signal.throwIfAborted();
      await database.transaction(async (tx) => {
        await lockRankings(tx, [spaceId]);
        await work(tx, spaceId);
      });
    }
    const last = spaceIds.at(-1);
    if (last === undefined || spaceIds.length < batch) return;
    after = last;
  }
}
