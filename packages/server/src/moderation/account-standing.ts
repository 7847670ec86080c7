import { isBanned as isAccountBanned } from '../accounts/ban.ts';
import { countPlayer, findSpacesWithUnlocks } from '../achievements/achievements.ts';
import { isBannedFrom } from '../boards/banned.ts';
import { deleteSubmissionsOf } from '../boards/boards.ts';
import { rerankPlayer } from '../boards/rerank-player.ts';
import { withdrawLikes } from '../content/content.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { isDeleted } from './account-standing.queries.ts';
import { inEachSpace, inEachSpacePlayed } from './each-space-played.ts';
import { forgetRecords } from './forget-player.ts';
import { findBoardsOfSpace } from './moderation.queries.ts';

const accountStandingJob = 'account-standing';
/**
 * The same work once more, a minute later. Transactions that read that the account was not banned yet may write for it
 * after the first run has looked. They are over by then.
 */
const laterStandingJob = 'account-standing-later';
const laterMs = 60_000;

/** Requests the jobs that remove the account from the rankings of every space, or put it back. */
export async function requestStanding(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.enqueue(accountStandingJob, accountId);
  await tx.enqueue(laterStandingJob, accountId, tx.now + laterMs);
}

/**
 * Creates the jobs that remove an account from the rankings of all spaces and the counts of their achievements, with
 * its likes, or put it back. They handle a few spaces at a time, so that no other transaction waits long. A deleted account leaves
 * nothing in any space. They read the state of the account again at each space; a change in the
 * meantime requests another run.
 */
export function createAccountStandingJobs(platform: Platform): JobKind[] {
  return [accountStandingJob, laterStandingJob].map((kind) => ({
    kind,
    timeoutSeconds: 600,
    maxAttempts: 10,
    concurrency: 1,
    run: ({ ref, signal }) => rerankEverywhere(platform, givenId('usr', ref), signal),
  }));
}

async function rerankEverywhere(
  platform: Platform,
  accountId: AccountId,
  signal: AbortSignal,
): Promise<void> {
  const { database, config } = platform;
  await inEachSpacePlayed(platform, accountId, signal, async (tx, spaceId) => {
    const banned = await isBannedFrom(tx, spaceId, accountId);
    const boards = await findBoardsOfSpace(tx, spaceId);
    await rerankPlayer(tx, boards, { playerId: accountId, banned }, config.RANK_SEGMENT_SIZE);
    // A deleted account is banned, and stays banned.
    if (banned && (await isDeleted(tx, accountId)))
      for (const board of boards) await deleteSubmissionsOf(tx, board.id, accountId);
  });
  const unlocked = await findSpacesWithUnlocks(database.db, accountId);
  await inEachSpace(platform, unlocked, signal, async (tx, spaceId) =>
    countPlayer(tx, { spaceId, playerId: accountId }, !(await isBannedFrom(tx, spaceId, accountId))),
  );
  await database.transaction(async (tx) => {
    if (await isAccountBanned(tx, accountId)) await withdrawLikes(tx, accountId);
  });
  if (await isDeleted(database, accountId)) await forgetRecords(platform, accountId, { signal, bans: true });
}
