import { lockStanding } from '../accounts/ban.ts';
import { deleteSubmissionsOf } from '../boards/boards.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { rerankPlayer } from '../boards/rerank-player.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type JobKind, LeaseLost } from '../platform/jobs/queue.ts';
import { type AccountStanding, findSpacesPlayed, findStanding } from './account-standing.queries.ts';
import { forgetRecords } from './forget-player.ts';
import { findBoardsOfSpace, isBanned } from './moderation.queries.ts';

const accountStandingJob = 'account-standing';
const batch = 100;

/** Asks for the job that takes the account out of the rankings of every space, or puts it back. */
export async function requestStanding(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.enqueue(accountStandingJob, accountId);
}

/**
 * Takes an account out of the rankings of all spaces, or puts it back. It does one space at a time, so that nobody
 * waits longer than one player takes. A deleted account leaves nothing in any space. The job reads what the account is
 * now, and begins again if that changes on the way.
 */
export function createAccountStandingJob(platform: Platform): JobKind {
  const { database } = platform;
  return {
    kind: accountStandingJob,
    timeoutSeconds: 600,
    maxAttempts: 10,
    concurrency: 1,
    async run(job) {
      const accountId = givenId('usr', job.ref);
      for (;;) {
        job.signal.throwIfAborted();
        const standing = await findStanding(database.db, accountId);
        if (!standing) return;
        if (!(await rerankEverywhere(platform, accountId, standing, job.signal))) continue;
        const isDone = await database.transaction(async (tx) => {
          // A later ban waits for this transaction, and asks for a job of its own.
          await lockStanding(tx, accountId);
          if (!isSame(await findStanding(tx.db, accountId), standing)) return false;
          if (!(await job.holdsLease(tx))) throw new LeaseLost();
          return true;
        });
        if (isDone) return;
      }
    },
  };
}

/** False if the account's standing has changed by now. */
async function rerankEverywhere(
  platform: Platform,
  accountId: AccountId,
  standing: AccountStanding,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, config } = platform;
  let after = givenId('spc', '');
  for (;;) {
    const spaceIds = await findSpacesPlayed(database.db, accountId, after, batch);
    for (const spaceId of spaceIds) {
      signal.throwIfAborted();
      const holds = await database.transaction(async (tx) => {
        await lockRankings(tx, [spaceId]);
        if (!isSame(await findStanding(tx.db, accountId), standing)) return false;
        const banned = await isBanned(tx, spaceId, accountId);
        const boards = await findBoardsOfSpace(tx, spaceId);
        await rerankPlayer(tx, boards, { playerId: accountId, banned }, config.RANK_SEGMENT_SIZE);
        if (standing.deletedAt !== null)
          for (const board of boards) await deleteSubmissionsOf(tx, board.id, accountId);
        return true;
      });
      if (!holds) return false;
    }
    const last = spaceIds.at(-1);
    if (last === undefined || spaceIds.length < batch) break;
    after = last;
  }
  if (standing.deletedAt !== null) await forgetRecords(platform, accountId, { signal, bans: true });
  return true;
}

function isSame(left: AccountStanding | undefined, right: AccountStanding): boolean {
  return left?.bannedAt === right.bannedAt && left.deletedAt === right.deletedAt;
}
