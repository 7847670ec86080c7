import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { clearSandboxProgress } from './guest-progress.queries.ts';
import { clearSandboxScores } from './guest-scores.queries.ts';

/**
 * Deletes what guests have in the sandbox of a space. Returns how many rows there were. Saves of guests are
 * deleted together with those of accounts.
 */
export async function clearSandboxOfGuests(
  tx: Tx,
  spaceId: SpaceId,
  category: 'scores' | 'achievements' | 'rooms',
): Promise<number> {
  if (category === 'scores') return clearSandboxScores(tx, spaceId);
  return category === 'achievements' ? clearSandboxProgress(tx, spaceId) : 0;
}
