import type { Actor } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import { insertEntries } from './audit-log.queries.ts';

export type { Actor } from '../platform/db/schema.ts';
export const machineActor: Actor = 'admin';

export interface AuditEntry {
  readonly actor: Actor;
  /** One word, like the name of the call: `hold`, `block`, … */
  readonly action: string;
  /** The subject of the action, as `kind:id`: `space:spc_…`, `host:example.com`. */
  readonly subject: string;
  readonly reason: string | null;
}

/**
 * Records who did what, when and why, in the transaction of the action, so that neither
 * exists without the other.
 */
export async function audit(tx: Tx, entry: AuditEntry): Promise<void> {
  await auditEach(tx, [entry]);
}

/** Records several actions, as `audit` does. */
export async function auditEach(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ actor, action, subject, reason }) => ({
    id: newId('aud'),
    at: tx.now,
    actor,
    action,
    subject,
    reason,
  }));
  await insertEntries(tx, rows);
}
