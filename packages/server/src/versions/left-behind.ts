import type { AccountId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { dequeue } from '../platform/jobs/dequeue.ts';
import { checkJob } from './job-kinds.ts';
import { markLeftBehind, stopChecking, stopCheckingOf } from './left-behind.queries.ts';
import { movedMeanwhile } from './standing.ts';

/**
 * Handles the versions of a space that moves to a live URL. Every version made so far can only be previewed
 * from now on, and waiting safety checks end. Runs in the transaction of the move, which has locked the
 * space.
 */
export async function leaveVersionsBehind(tx: Tx, spaceId: SpaceId): Promise<void> {
  await markLeftBehind(tx, spaceId);
  await stopWaitingChecks(tx, spaceId, movedMeanwhile);
}

/**
 * Ends the checks of a space that have no verdict yet: their versions read `stopped`, with this reason. A
 * check that is running loses its lease with its job, so its verdict is thrown away.
 */
export async function stopWaitingChecks(tx: Tx, spaceId: SpaceId, reason: string): Promise<void> {
  await endChecks(tx, await stopChecking(tx, spaceId, reason));
}

/** Does the same for every space of an account, which the caller has locked. */
export async function stopWaitingChecksOf(tx: Tx, ownerId: AccountId, reason: string): Promise<void> {
  await endChecks(tx, await stopCheckingOf(tx, ownerId, reason));
}

async function endChecks(tx: Tx, ids: readonly VersionId[]): Promise<void> {
  for (const id of ids) {
    await dequeue(tx, checkJob, id);
    tx.announce('version', id);
  }
}
