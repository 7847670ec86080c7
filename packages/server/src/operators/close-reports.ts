import type { ReportId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Actor, audit } from './audit.ts';
import { closeReport } from './reports.queries.ts';

export interface Closing {
  readonly as: 'dismissed' | 'resolved';
  readonly note: string | null;
  readonly by: Actor;
}

/**
 * Closes those of the reports that are open, in the caller's transaction, which has locked their spaces, and
 * writes the audit log. Returns the reports that it closed.
 */
export async function closeReports(
  tx: Tx,
  ids: readonly ReportId[],
  { as: state, note, by }: Closing,
): Promise<ReportId[]> {
  const action = state === 'dismissed' ? 'dismiss' : 'resolve';
  const closed: ReportId[] = [];
  for (const id of ids) {
    if (!(await closeReport(tx, id, { state, note, decided_by: by, decided_at: tx.now }))) continue;
    await audit(tx, { actor: by, action, subject: `report:${id}`, reason: note });
    closed.push(id);
  }
  return closed;
}
