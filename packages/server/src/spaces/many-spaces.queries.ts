import { sql } from 'kysely';
import { holdRows, oneOf } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SpaceRow } from './spaces.queries.ts';

const columns = ['id', 'slug', 'state', 'standing', 'offline', 'owner_banned', 'deleted_at'] as const;

/** What covers a space, and its standing. */
export type CoveredRow = Pick<SpaceRow, (typeof columns)[number]>;

/**
 * Locks every space of an account until the transaction ends, deleted ones too, and returns their current rows.
 * All who lock several take them in the order of their ids.
 */
export async function lockSpacesOf(tx: Tx, ownerId: AccountId): Promise<CoveredRow[]> {
  return tx.db
    .selectFrom('spaces')
    .select(columns)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .modifyEnd(holdRows(tx.db, 'no key update'))
    .execute();
}

/** Returns the names and states of those of these spaces that are there and not deleted, by their ids. */
export async function findSpacesById(
  db: Db,
  ids: readonly SpaceId[],
): Promise<ReadonlyMap<SpaceId, Pick<SpaceRow, 'id' | 'slug' | 'title' | 'state'>>> {
  const rows = await db
    .selectFrom('spaces')
    .select(['id', 'slug', 'title', 'state'])
    .where('id', 'in', oneOf(db, ids))
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Changes spaces as `changeSpaceRow` does, all in the same way. The caller takes care of the search index. */
export async function changeSpaceRows(
  tx: Tx,
  ids: readonly SpaceId[],
  change: Partial<Omit<CoveredRow, 'id' | 'slug'>>,
): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ ...change, revision: sql<number>`revision + 1`, updated_at: tx.now })
    .where('id', 'in', oneOf(tx.db, ids))
    .execute();
  for (const id of ids) announceShown(tx, `space:${id}`);
}

/** Frees the addresses of every space of an account for other spaces. */
export async function releaseAddressesOf(tx: Tx, ownerId: AccountId): Promise<void> {
  await tx.db
    .deleteFrom('space_urls')
    .where('space_id', 'in', (some) =>
      some.selectFrom('spaces').select('spaces.id').where('spaces.owner_id', '=', ownerId),
    )
    .execute();
}
