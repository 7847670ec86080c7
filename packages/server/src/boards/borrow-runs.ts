import type { Tx } from '../platform/db/tx.ts';
import { Borrower } from './kept-rankings.ts';
import { findRunChanges } from './run-changes.queries.ts';

/**
 * Takes the runs of rankings that this process keeps in memory for the transaction, if nobody has changed them
 * since. Only needed where several processes write. The caller holds the rankings' lock, so nobody changes
 * them before the transaction ends.
 */
export async function borrowRuns(tx: Tx, rankingIds: Iterable<number>): Promise<void> {
  if (tx.era() !== null) return;
  const borrower = Borrower.of(tx);
  const unknown = [...new Set(rankingIds)].filter((id) => !borrower.hasCompared(id));
  if (unknown.length === 0) return;
  for (const { id, run_changes } of await findRunChanges(tx, unknown)) borrower.take(id, run_changes);
}

/** Lets the transactions after this one use its runs, if it commits. Call it after the last change of runs. */
export async function returnRuns(tx: Tx): Promise<void> {
  if (tx.era() !== null) return;
  const borrower = Borrower.of(tx);
  if (borrower.kept.size === 0) return;
  const ids = [...borrower.kept.keys()];
  for (const { id, run_changes } of await findRunChanges(tx, ids)) borrower.note(id, run_changes);
}
