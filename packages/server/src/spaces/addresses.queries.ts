import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Returns the slug and id of the space that has the address, as given or after redirects.
 * @param key the `urlKey` of the address
 */
export async function spaceAt(db: Db, key: string): Promise<{ id: SpaceId; slug: string } | undefined> {
  return db
    .selectFrom('space_urls as address')
    .innerJoin('spaces as space', 'space.id', 'address.space_id')
    .select(['space.id', 'space.slug'])
    .where('address.url_key', '=', key)
    .executeTakeFirst();
}

/** Takes one address for a space. Returns false if another space has it. */
export async function takeAddress(tx: Tx, key: string, spaceId: SpaceId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('space_urls')
    .values({ url_key: key, space_id: spaceId })
    .onConflict((conflict) => conflict.column('url_key').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Frees the addresses of a space for other spaces. */
export async function releaseAddresses(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.deleteFrom('space_urls').where('space_id', '=', spaceId).execute();
}
