import { countPlayer } from '../achievements/achievements.ts';
import { deletePosted, deleteSubmissionsOf } from '../boards/boards.ts';
import { rerankPlayer } from '../boards/rerank-player.ts';
import { forgetContent } from '../content/content.ts';
import { deleteAdopted } from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { deleteAccountPlays } from '../plays/plays.ts';
import { deleteSavesOf } from '../saves/saves.ts';
import { deleteOwnBan, deleteRecords, findSpacesWithRecords } from './account-standing.queries.ts';
import { inEachSpace, inEachSpacePlayed } from './each-space-played.ts';
import { findBoardsOfSpace } from './moderation.queries.ts';

/**
 * Deletes everything that an account has as a player, a few spaces at a time: scores, stats, achievements,
 * saves, its content, and the records of its plays. Other players are ranked without it. Bans stay. If it is
 * interrupted, the next run deletes the rest.
 */
export async function forgetPlayer(
  platform: Platform,
  accountId: AccountId,
  signal: AbortSignal,
): Promise<void> {
  const { RANK_SEGMENT_SIZE: segmentSize } = platform.config;
  await inEachSpacePlayed(platform, accountId, signal, async (tx, spaceId) => {
    const boards = await findBoardsOfSpace(tx, spaceId);
    await rerankPlayer(tx, boards, { playerId: accountId, banned: true }, segmentSize);
    for (const board of boards) await deleteSubmissionsOf(tx, board.id, accountId);
  });
  await forgetRecords(platform, accountId, { signal, bans: false });
}

/**
 * Deletes an account's stats, achievements, saves, content and the like in every space. With `bans` it also
 * deletes the bans by creators.
 */
export async function forgetRecords(
  platform: Platform,
  accountId: AccountId,
  { signal, bans }: { signal: AbortSignal; bans: boolean },
): Promise<void> {
  const { database } = platform;
  const spaceIds = await findSpacesWithRecords(database.db, accountId, { bans });
  await inEachSpace(platform, spaceIds, signal, async (tx, spaceId) => {
    await countPlayer(tx, { spaceId, playerId: accountId }, false);
    await deleteRecords(tx, spaceId, accountId);
    await deletePosted(tx, spaceId, accountId);
    if (bans) await deleteOwnBan(tx, spaceId, accountId);
  });
  await database.transaction(async (tx) => {
    await deleteSavesOf(tx, accountId);
    await forgetContent(tx, accountId);
    await deleteAccountPlays(tx.db, accountId);
    await deleteAdopted(tx.db, accountId);
  });
}
