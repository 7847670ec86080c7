import { lockProgressOf } from '../achievements/achievements.ts';
import { lockRankings } from '../boards/change-entries.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { piecesOf } from '../platform/pieces.ts';
import { findSpacesPlayed } from './account-standing.queries.ts';

const batch = 100;

/**
 * How many spaces share a transaction. A commit waits for the disk for as long as the work in several spaces takes:
 * with one for each space, a player of 20,000 spaces took minutes. Their locks are held for some ten milliseconds.
 */
const together = 10;

/**
 * Does the work for each space where the account has scores, a few spaces in each transaction, under the rankings'
 * locks of these.
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
    for (const some of piecesOf(spaceIds, together)) {
      signal.throwIfAborted();
      await database.transaction(async (tx) => {
        await lockRankings(tx, some);
        for (const spaceId of some) await work(tx, spaceId);
      });
    }
    const last = spaceIds.at(-1);
    if (last === undefined || spaceIds.length < batch) return;
    after = last;
  }
}

/** Does the work for each of these spaces, a few in each transaction, under the locks of their rankings and progress. */
export async function inEachSpace(
  { database }: Pick<Platform, 'database'>,
  spaceIds: readonly SpaceId[],
  signal: AbortSignal,
  work: (tx: Tx, spaceId: SpaceId) => Promise<void>,
): Promise<void> {
  for (const some of piecesOf(spaceIds, together)) {
    signal.throwIfAborted();
    await database.transaction(async (tx) => {
      // Bans are read and written under both locks.
      await lockRankings(tx, some);
      await lockProgressOf(tx, some);
      for (const spaceId of some) await work(tx, spaceId);
    });
  }
}
