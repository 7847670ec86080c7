import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The states of spaces, by their ids; none for one that is gone. */
export async function findStates(
  tx: Tx,
  spaceIds: readonly SpaceId[],
): Promise<Map<string, SpacesTable['state']>> {
  const rows = await tx.db
    .selectFrom('spaces')
    .select(['id', 'state'])
    .where('id', 'in', oneOf(tx.db, spaceIds))
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** The handles of accounts, by their ids; null for one that has picked none. */
export async function findHandles(
  tx: Tx,
  accountIds: readonly AccountId[],
): Promise<Map<string, string | null>> {
  const rows = await tx.db
    .selectFrom('creators')
    .select(['id', 'handle'])
    .where('id', 'in', oneOf(tx.db, accountIds))
    .execute();
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}
