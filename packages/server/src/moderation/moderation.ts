import { countPlayer, lockProgress } from '../achievements/achievements.ts';
import { isBannedFrom } from '../boards/banned.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { rerankPlayer } from '../boards/rerank-player.ts';
import { withdrawLikes } from '../content/content.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { findPlayer, type Player } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';
import {
  deleteBan,
  deleteSubmissionRow,
  findBoardsOfSpace,
  findSubmission,
  insertBan,
  listBans,
} from './moderation.queries.ts';

export { findBannedFrom } from './moderation.queries.ts';

/**
 * Deletes a submission from the boards of one of the caller's spaces. Its player is ranked by the remaining
 * ones, in the same transaction.
 * @throws `not_found`
 */
export async function deleteSubmission(
  { database, config }: Platform,
  caller: CreatorCaller,
  slug: string,
  id: number,
): Promise<void> {
  const space = await ownView(database.db, slug, caller);
  await database.transaction(async (tx) => {
    await lockRankings(tx, [space.id]);
    const boards = await findBoardsOfSpace(tx, space.id);
    const submission = await findSubmission(tx, id);
    const board = boards.find((one) => one.id === submission?.board_id);
    if (!submission || !board)
      throw new ServiceError('not_found', `There is no submission ${id} on the boards of «${slug}».`);
    const playerId = submission.player_id;
    await deleteSubmissionRow(tx, id);
    const banned = await isBannedFrom(tx, space.id, playerId);
    await rerankPlayer(tx, [board], { playerId, banned }, config.RANK_SEGMENT_SIZE);
  });
}

/**
 * Bans a player from one of the caller's spaces, or lifts the ban. A ban removes the player at once from
 * every ranking, from lists of content and from the counts of achievements; lifting it puts them back.
 * Repeating either changes nothing. Returns the player's handle.
 * @throws `not_found`, `no_such_player`, and `invalid` if the player is the caller
 */
export async function changeBan(
  { database, config }: Platform,
  caller: CreatorCaller,
  slug: string,
  { handle, banned }: { handle: string; banned: boolean },
): Promise<string> {
  const space = await ownView(database.db, slug, caller);
  const player = await namedPlayer({ database }, caller, handle);
  await database.transaction(async (tx) => {
    // Code that posts scores, stats and unlocks reads the bans under these locks.
    await lockRankings(tx, [space.id]);
    await lockProgress(tx, space.id);
    const changed = banned
      ? await insertBan(tx, space.id, player.playerId)
      : await deleteBan(tx, space.id, player.playerId);
    if (!changed) return;
    // The player's content is not listed during the ban; the player's likes are deleted for good.
    if (banned) await withdrawLikes(tx, player.playerId, { spaceId: space.id });
    const boards = await findBoardsOfSpace(tx, space.id);
    // The account may also be banned from the service.
    const keptOut = await isBannedFrom(tx, space.id, player.playerId);
    const standing = { playerId: player.playerId, banned: keptOut };
    await rerankPlayer(tx, boards, standing, config.RANK_SEGMENT_SIZE);
    await countPlayer(tx, { spaceId: space.id, playerId: player.playerId }, !keptOut);
  });
  return player.handle;
}

/**
 * Returns the players banned from one of the caller's spaces, the newest ban first.
 * @throws `not_found`
 */
export async function readBans(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<{ handle: string; bannedAt: number }[]> {
  const space = await ownView(db, slug, caller);
  const bans = await listBans(db, space.id);
  // Only accounts with a handle can be banned, and handles never change.
  return bans.map(({ handle, banned_at }) => ({ handle: handle ?? '', bannedAt: banned_at }));
}

async function namedPlayer(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  handle: string,
): Promise<Player> {
  const player = await findPlayer(db, handle);
  if (!player) throw noSuchPlayer(handle);
  if (player.playerId === caller.creatorId) {
    const message = 'must not be your own';
    throw new ServiceError('invalid', `The handle ${message}.`, { issues: [{ path: 'handle', message }] });
  }
  return player;
}

export function noSuchPlayer(handle: string): ServiceError {
  return new ServiceError('no_such_player', `There is no player @${handle.replace('@', '')}.`);
}
