import { oneOfList } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the states of spaces, by their ids. Deleted spaces are left out. */
export async function findStates(
  tx: Tx,
  spaceIds: readonly SpaceId[],
): Promise<Map<string, SpacesTable['state']>> {
  const rows = await findSpaces(tx.db, { ids: listOf(spaceIds) });
  return new Map(rows.map(({ id, state }) => [id, state]));
}

const findSpaces = prepared((db, { ids }: Given<{ ids: List<SpaceId> }>) =>
  db.selectFrom('spaces').select(['id', 'state']).where('id', 'in', oneOfList(db, ids)),
);

/** Returns the handles of accounts, by their ids; null for an account without one. */
export async function findHandles(
  tx: Tx,
  accountIds: readonly AccountId[],
): Promise<Map<string, string | null>> {
  const rows = await findAccounts(tx.db, { ids: listOf(accountIds) });
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}

const findAccounts = prepared((db, { ids }: Given<{ ids: List<AccountId> }>) =>
  db.selectFrom('creators').select(['id', 'handle']).where('id', 'in', oneOfList(db, ids)),
);
