import { oneOfList } from '../platform/db/dialect.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the states of the spaces on the service whose secrets have these hashes. */
export async function findStatesOfSecrets(
  tx: Tx,
  hashes: readonly string[],
): Promise<{ hash: string; state: SpacesTable['state'] }[]> {
  return findStates(tx.db, { hashes: listOf(hashes) });
}

const findStates = prepared((db, { hashes }: Given<{ hashes: List<string> }>) =>
  db
    .selectFrom('board_secrets as secret')
    .innerJoin('spaces as space', 'space.id', 'secret.space_id')
    .select(['secret.hash', 'space.state'])
    .where('secret.hash', 'in', oneOfList(db, hashes))
    .where('space.state', 'not in', ['removed', 'deleted']),
);
