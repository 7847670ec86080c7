import { createHash } from 'node:crypto';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Urls } from '../platform/urls.ts';
import { duplicate } from './listing-errors.ts';
import { normaliseUrl } from './web-address.ts';

/** What two spellings of one address have in common. A hash: addresses are longer than an index takes. */
export function urlKey(address: string): string {
  return createHash('sha256').update(normaliseUrl(address)).digest('hex');
}

/** The slug and id of the space that has the address, given or behind redirects. */
export async function spaceAt(db: Db, key: string): Promise<{ id: string; slug: string } | undefined> {
  return db
    .selectFrom('space_urls as address')
    .innerJoin('spaces as space', 'space.id', 'address.space_id')
    .select(['space.id', 'space.slug'])
    .where('address.url_key', '=', key)
    .executeTakeFirst();
}

/** Gives the space these addresses and no others. Throws `duplicate` where another space has one. */
export async function takeAddresses(
  urls: Urls,
  tx: Tx,
  spaceId: string,
  keys: ReadonlySet<string>,
): Promise<void> {
  await tx.db.deleteFrom('space_urls').where('space_id', '=', spaceId).execute();
  // In one order, so that two that want the same two do not wait for each other.
  for (const key of [...keys].sort()) {
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto('space_urls')
      .values({ url_key: key, space_id: spaceId })
      .onConflict((conflict) => conflict.column('url_key').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) continue;
    const other = await spaceAt(tx.db, key);
    if (other) throw duplicate(urls.page(other.slug));
    throw new ServiceError('failed', 'Another space is just giving the address up; try again.');
  }
}
