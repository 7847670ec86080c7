import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { dequeue } from '../platform/jobs/queue.ts';
import { checkJob } from './job-kinds.ts';
import { markLeftBehind, stopChecking } from './left-behind.queries.ts';
import { movedMeanwhile } from './standing.ts';

/**
 * The space moves to a live URL: every version made so far can from now on only be previewed, and those that wait for
 * the safety check wait no more. In the transaction of the move, which has locked the space.
 */
export async function leaveVersionsBehind(tx: Tx, spaceId: SpaceId): Promise<void> {
  await markLeftBehind(tx, spaceId);
  await stopWaitingChecks(tx, spaceId, movedMeanwhile);
}

/**
 * Ends the checks of a space that have no verdict yet: their versions read `stopped`, with this reason. A check that
 * runs just now loses its lease with its job, and its verdict is thrown away.
 */
export async function stopWaitingChecks(tx: Tx, spaceId: SpaceId, reason: string): Promise<void> {
  for (const id of await stopChecking(tx, spaceId, reason)) {
    await dequeue(tx, checkJob, id);
    tx.announce('version', id);
  }
}
