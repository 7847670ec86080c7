import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import {
  countUpTo,
  findFilled,
  findIdsAfter,
  findKnownOf,
  indexSpaces,
  lockToIndex,
  lockToIndexAllOf,
  setFilled,
} from './index.queries.ts';
import { indexInTurns, inOneTurn } from './index-many.ts';

/**
 * Increase this number whenever words or tokens are made differently: everything is indexed again
 * then, once. The same happens after an update that brought the search, and after a restore, because
 * backups leave out the index.
 */
const rules = 5;

/** The job that fills the index. There is one for all nodes. */
const fillJob = 'fill-search';
const fillRef = 'all';

/** So many spaces are indexed before the service answers, so that a small one has all of them from the first answer on. */
const atStart = 100;
/** A million spaces on PostgreSQL take some hours. */
const mostSeconds = 86_400;

/** Begins to index every space if that was not done by these rules. What is left of it is a job. */
export async function beginFill(database: Database): Promise<void> {
  if (await isFilled(database.db)) return;
  await database.transaction(async (tx) => {
    if (!(await fillPiece(tx, atStart))) await tx.enqueue(fillJob, fillRef);
  });
}

/** Creates the job that indexes every space, a few at a time. Another worker goes on where one was killed. */
export function createFillJob({ database, log }: Pick<Platform, 'database' | 'log'>): JobKind {
  return {
    kind: fillJob,
    timeoutSeconds: mostSeconds,
    maxAttempts: 10,
    concurrency: 1,
    async run({ signal }) {
      if (await isFilled(database.db)) return;
      log.info(await howFilled(database.db), 'filling the search index: searches find a part of the spaces');
      const begun = performance.now();
      for (;;) {
        signal.throwIfAborted();
        const pieceBegun = performance.now();
        if (await database.transaction((tx) => fillPiece(tx, inOneTurn))) break;
        // Half of the time belongs to the others, and more while they make this slow.
        await pause(performance.now() - pieceBegun, undefined, { signal });
      }
      const seconds = Math.round((performance.now() - begun) / 1_000);
      log.info({ seconds }, 'the search index is filled: searches find all spaces');
    },
  };
}

/** Indexes the next spaces. Returns whether all are indexed now. */
async function fillPiece(tx: Tx, count: number): Promise<boolean> {
  await tx.lock('fill of the search');
  const filled = await findFilled(tx.db);
  if (filled.rules === rules) return true;
  const after = filled.by === rules ? filled.to : null;
  const ids = await findIdsAfter(tx.db, after, count);
  await lockToIndex(tx, ids);
  await indexSpaces(tx, ids);
  if (ids.length > 0) announceShown(tx, 'spaces');
  const isWhole = ids.length < count;
  await setFilled(
    tx,
    isWhole ? { rules, by: null, to: null } : { rules: 0, by: rules, to: ids.at(-1) ?? after },
  );
  return isWhole;
}

/** Returns whether searches find every space. */
export async function isFilled(db: Db): Promise<boolean> {
  return (await findFilled(db)).rules === rules;
}

/** Returns how many spaces there are and how many the index has of them; null if it has all. */
export async function howFilled(db: Db): Promise<{ spaces: number; indexed: number } | null> {
  const filled = await findFilled(db);
  if (filled.rules === rules) return null;
  const { spaces, upTo } = await countUpTo(db, filled.by === rules ? filled.to : null);
  return { spaces, indexed: upTo };
}

/** Indexes the spaces of an account again after its name changed, in the same transaction. */
export async function indexSpacesOf(tx: Tx, ownerId: AccountId): Promise<void> {
  // One that comes into the index meanwhile is in it by now with the old name, or waits and comes with the new one.
  await lockToIndexAllOf(tx, ownerId);
  const ids = await findKnownOf(tx, ownerId);
  // Searches find these spaces by another name, or no longer.
  if (ids.length > 0) announceShown(tx, 'spaces');
  await indexInTurns(tx, ids);
}
