import { createHash } from 'node:crypto';
import type { Snapshot } from '../db/snapshot-tables.ts';
import { linkKey } from '../secrets/installation-keys.ts';

/**
 * Returns the name of the installation that a snapshot is of: the same after a restore and on either engine,
 * and another one for each other installation. Undefined if it was never started.
 */
export async function installationOf(snapshot: Pick<Snapshot, 'rows'>): Promise<string | undefined> {
  for await (const batch of snapshot.rows('settings')) {
    const key = batch.find(({ name }) => name === linkKey);
    // The key signs links, so that only its hash may be shown.
    if (key) return createHash('sha256').update(`installation ${key.value}`).digest('hex').slice(0, 32);
  }
  return undefined;
}
