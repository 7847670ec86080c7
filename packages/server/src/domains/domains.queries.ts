import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, DomainsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type DomainRow = DomainsTable;

export async function findDomain(db: Db, spaceId: SpaceId): Promise<DomainRow | undefined> {
  return db.selectFrom('domains').selectAll().where('space_id', '=', spaceId).executeTakeFirst();
}

/**
 * Returns the domain of a space with the space's slug, even if the space is deleted, because it may be
 * restored.
 */
export async function findDomainWithSlug(
  db: Db,
  spaceId: SpaceId,
): Promise<(DomainRow & { slug: string }) | undefined> {
  return db
    .selectFrom('domains')
    .innerJoin('spaces', 'spaces.id', 'domains.space_id')
    .selectAll('domains')
    .select('spaces.slug')
    .where('domains.space_id', '=', spaceId)
    .executeTakeFirst();
}

/** Returns the space that has a live host, and its slug. */
export async function findLiveDomain(
  db: Db,
  host: string,
): Promise<{ spaceId: SpaceId; slug: string } | undefined> {
  return db
    .selectFrom('domains')
    .innerJoin('spaces', 'spaces.id', 'domains.space_id')
    .select(['spaces.id as spaceId', 'spaces.slug'])
    .where('domains.live_host', '=', host)
    .executeTakeFirst();
}

export async function putDomain(tx: Tx, row: DomainRow): Promise<void> {
  const { space_id: _, ...rest } = row;
  await tx.db
    .insertInto('domains')
    .values(row)
    .onConflict((conflict) => conflict.column('space_id').doUpdateSet(rest))
    .execute();
}

/** Changes the domain if it still has the same proof, and so the same host. Returns false if it does not. */
export async function changeDomain(
  tx: Tx,
  { space_id, proof }: Pick<DomainRow, 'space_id' | 'proof'>,
  change: Partial<DomainRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('domains')
    .set(change)
    .where('space_id', '=', space_id)
    .where('proof', '=', proof)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteDomain(tx: Tx, spaceId: SpaceId): Promise<DomainRow | undefined> {
  return tx.db.deleteFrom('domains').where('space_id', '=', spaceId).returningAll().executeTakeFirst();
}

/** Returns spaces whose host is due for a look. */
export async function findDueDomains(db: Db, now: number, limit: number): Promise<SpaceId[]> {
  const rows = await db
    .selectFrom('domains')
    .select('space_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ space_id }) => space_id);
}
