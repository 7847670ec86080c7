import type { Tx } from '../db/tx.ts';

/** Deletes a job that is no longer wanted. */
export async function dequeue(tx: Tx, kind: string, ref: string): Promise<void> {
  await tx.db.deleteFrom('jobs').where('kind', '=', kind).where('ref', '=', ref).execute();
}

/** Deletes all jobs about a thing that is being deleted. */
export async function dequeueAll(tx: Tx, ref: string): Promise<void> {
  await tx.db.deleteFrom('jobs').where('ref', '=', ref).execute();
}
