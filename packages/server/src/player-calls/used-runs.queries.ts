import { sql } from 'kysely';
import { oneOf, rowsOf } from '../platform/db/dialect.ts';
import type { RunId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Which of these runs were submitted. */
export async function findUsedRuns(tx: Tx, runs: readonly RunId[]): Promise<Set<RunId>> {
  if (runs.length === 0) return new Set();
  const rows = await tx.db
    .selectFrom('used_runs')
    .select('run')
    .where('run', 'in', oneOf(tx.db, runs))
    .execute();
  return new Set(rows.map(({ run }) => run));
}

export async function insertUsedRuns(
  tx: Tx,
  runs: readonly { readonly run: RunId; readonly spaceId: SpaceId }[],
): Promise<void> {
  if (runs.length === 0) return;
  const given = rowsOf(
    tx.db,
    runs.map(({ run, spaceId }) => [run, spaceId]),
    2,
  );
  await sql`
    insert into used_runs (run, space_id, used_at)
    select c0, c1, cast(${tx.now} as bigint) from ${given} as given where true`.execute(tx.db);
}

/** Forgets runs that were submitted before an instant. */
export async function deleteUsedRuns(db: Db, before: number): Promise<void> {
  await db.deleteFrom('used_runs').where('used_at', '<', before).execute();
}
