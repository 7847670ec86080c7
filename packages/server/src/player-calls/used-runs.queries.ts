import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOfList } from '../platform/db/dialect.ts';
import type { RunId, SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the runs among these that were submitted. */
export async function findUsedRuns(tx: Tx, runs: readonly RunId[]): Promise<Set<RunId>> {
  if (runs.length === 0) return new Set();
  const rows = await findAmong(tx.db, { runs: listOf(runs) });
  return new Set(rows.map(({ run }) => run));
}

const findAmong = prepared((db, { runs }: Given<{ runs: List<RunId> }>) =>
  db.selectFrom('used_runs').select('run').where('run', 'in', oneOfList(db, runs)),
);

export async function insertUsedRuns(
  tx: Tx,
  runs: readonly { readonly run: RunId; readonly spaceId: SpaceId }[],
): Promise<void> {
  await insertRows(
    tx,
    runs.map(({ run, spaceId }) => [run, spaceId, tx.now]),
  );
}

const insertRows = preparedInsert('used_runs', { run: 'text', space_id: 'text', used_at: 'bigint' });

/** Deletes runs that were submitted before an instant (epoch milliseconds). */
export async function deleteUsedRuns(db: Db, before: number): Promise<void> {
  await deleteInPieces(db, 'used_runs', sql`used_at < ${before}`);
}
