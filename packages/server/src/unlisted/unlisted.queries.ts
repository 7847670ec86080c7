import type { Selectable } from 'kysely';
import type { Db, Tx, UnlistedPagesTable } from '../platform/db/schema.ts';

export type UnlistedPage = Selectable<UnlistedPagesTable>;

export async function insertPage(tx: Tx, page: UnlistedPage): Promise<void> {
  await tx.insertInto('unlisted_pages').values(page).execute();
}

export async function findPageByHash(db: Db | Tx, claimHash: string): Promise<UnlistedPage | undefined> {
  return db.selectFrom('unlisted_pages').selectAll().where('claim_hash', '=', claimHash).executeTakeFirst();
}

export async function findPageOfSpace(db: Db | Tx, spaceId: string): Promise<UnlistedPage | undefined> {
  return db.selectFrom('unlisted_pages').selectAll().where('space_id', '=', spaceId).executeTakeFirst();
}

/** False where it was spent already. */
export async function spendClaim(tx: Tx, claimId: string, creatorId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('unlisted_pages')
    .set({ claimed_at: now, claimed_by: creatorId })
    .where('claim_id', '=', claimId)
    .where('claimed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Pages past their time that nobody claimed and whose space is still there. */
export async function findExpiredPages(db: Db, now: number, limit: number): Promise<UnlistedPage[]> {
  return db
    .selectFrom('unlisted_pages as page')
    .innerJoin('spaces as space', 'space.id', 'page.space_id')
    .selectAll('page')
    .where('page.expires_at', '<=', now)
    .where('page.claimed_at', 'is', null)
    .limit(limit)
    .execute();
}
