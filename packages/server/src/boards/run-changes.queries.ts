import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns how many statements have written runs of each of these rankings. */
export async function findRunChanges(
  tx: Tx,
  rankingIds: readonly number[],
): Promise<{ id: number; run_changes: number }[]> {
  return changesOf(tx.db, { given: listOf(rankingIds.map((id) => [id])) });
}

const changesOf = prepared((db, { given }: Given<{ given: List<Cells> }>) =>
  db
    .selectFrom('rankings')
    .select(['id', 'run_changes'])
    .where('id', 'in', sql<number>`(select cast(c0 as bigint) from ${rowsOfList(db, given, 1)} as given)`),
);
