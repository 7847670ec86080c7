import type { Tx } from '../platform/db/tx.ts';
import { addCounts } from './play-counts.queries.ts';
import type { Count, TalliedError } from './tally.ts';
import { writeErrors } from './write-errors.ts';

/**
 * Writes the reports of one node. Those for spaces or versions that were deleted in
 * the meantime are left out.
 */
export async function writeTally(
  tx: Tx,
  { counts, errors }: { readonly counts: readonly Count[]; readonly errors: readonly TalliedError[] },
): Promise<void> {
  // Nodes take turns, because they write the same groups and share the limits.
  await tx.lock('telemetry');
  if (counts.length > 0) await addCounts(tx, counts);
  if (errors.length > 0) await writeErrors(tx, errors);
}
