import type { Tx } from '../platform/db/tx.ts';
import { addCounts } from './play-counts.queries.ts';
import type { Count, TalliedError } from './tally.ts';
import { writeErrors } from './write-errors.ts';

/** Writes what was told, whatever node it was told. What is of a space or version that went meanwhile is left out. */
export async function writeTally(
  tx: Tx,
  { counts, errors }: { readonly counts: readonly Count[]; readonly errors: readonly TalliedError[] },
): Promise<void> {
  // Nodes write one after the other: their groups and bounds are the same.
  await tx.lock('telemetry');
  if (counts.length > 0) await addCounts(tx, counts);
  if (errors.length > 0) await writeErrors(tx, errors);
}
