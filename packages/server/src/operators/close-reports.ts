import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReportId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Actor, auditEach } from './audit.ts';
import { closeOpenReports } from './reports.queries.ts';

export interface Closing {
  readonly as: 'dismissed' | 'resolved';
  readonly note: string | null;
  readonly by: Actor;
}

/** A campaign against a space can leave tens of thousands, of which each alone would take two statements. */
const atOnce = 500;

/**
 * Closes those of the reports that are open, in the caller's transaction, which has locked their spaces, and
 * writes the audit log. Returns the reports that it closed.
 */
export async function closeReports(
  tx: Tx,
  ids: readonly ReportId[],
  { as: state, note, by }: Closing,
): Promise<ReportId[]> {
  if (ids.length === 0) return [];
  // Two decisions about the same reports would lock them in different orders, and wait for each other.
  await tx.lock('reports:decide');
  const decision = { state, note, decided_by: by, decided_at: tx.now };
  const action = state === 'dismissed' ? 'dismiss' : 'resolve';
  const closed: ReportId[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = await closeOpenReports(tx, ids.slice(from, from + atOnce), decision);
    await auditEach(
      tx,
      some.map((id) => ({ actor: by, action, subject: `report:${id}`, reason: note })),
    );
    closed.push(...some);
    await nextTurn();
  }
  return closed;
}
