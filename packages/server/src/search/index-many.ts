import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { piecesOf } from '../platform/pieces.ts';
import { findMissingOf, indexSpaces, lockToIndex } from './index.queries.ts';

/** The job that indexes the spaces of an account that came back. Its ref is the account's id. */
const indexAccountJob = 'index-account';

/** Of more spaces a job writes the index: on SQLite every other write would wait for seconds. */
export const mostWithChange = 200;

/** Taking spaces out costs a fraction of putting them in. */
const takenOutAtOnce = 200;
/**
 * The number of spaces that are indexed in one turn of the event loop: some ten milliseconds, in which other requests
 * wait on SQLite.
 */
export const inOneTurn = 20;

/**
 * Writes the search index after a change of many spaces of an account, in its transaction. Spaces that are listed no
 * more are found no more at once. Many that are listed again are found once a job has indexed them.
 */
export async function indexChanged(
  tx: Tx,
  ownerId: AccountId,
  { hidden, back }: { hidden: readonly SpaceId[]; back: readonly SpaceId[] },
): Promise<void> {
  for (const ids of piecesOf(hidden, takenOutAtOnce)) await indexSpaces(tx, ids);
  if (back.length > mostWithChange) return tx.enqueue(indexAccountJob, ownerId);
  await indexInTurns(tx, back);
}

/** Indexes spaces, and lets other requests in between. */
export async function indexInTurns(tx: Tx, ids: readonly SpaceId[]): Promise<void> {
  for (const some of piecesOf(ids, inOneTurn)) {
    await indexSpaces(tx, some);
    await nextTurn();
  }
}

export function createIndexAccountJob(platform: Pick<Platform, 'database'>): JobKind {
  return {
    kind: indexAccountJob,
    timeoutSeconds: 600,
    maxAttempts: 10,
    concurrency: 1,
    run: ({ ref, signal }) => indexMissing(platform, givenId('usr', ref), signal),
  };
}

/** Whatever an attempt has indexed stays so: the next one looks for the rest. */
async function indexMissing(
  { database }: Pick<Platform, 'database'>,
  ownerId: AccountId,
  signal: AbortSignal,
): Promise<void> {
  for (let after: SpaceId = givenId('spc', ''); ; ) {
    signal.throwIfAborted();
    const ids = await findMissingOf(database.db, ownerId, { after, limit: inOneTurn });
    const last = ids.at(-1);
    if (last === undefined) return;
    // They may have been hidden meanwhile, or their creator renamed: this looks again.
    await database.transaction(async (tx) => {
      await lockToIndex(tx, ids);
      await indexSpaces(tx, ids);
      announceShown(tx, 'spaces');
    });
    after = last;
  }
}
