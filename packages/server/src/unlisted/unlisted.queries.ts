import type { Selectable } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, ClaimId, SpaceId } from '../platform/db/ids.ts';
import type { Db, UnlistedPagesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type UnlistedPage = Selectable<UnlistedPagesTable>;

export async function insertPage(tx: Tx, page: UnlistedPage): Promise<void> {
  await tx.db.insertInto('unlisted_pages').values(page).execute();
}

export async function findPageByHash(db: Db, claimHash: string): Promise<UnlistedPage | undefined> {
  return db.selectFrom('unlisted_pages').selectAll().where('claim_hash', '=', claimHash).executeTakeFirst();
}

export async function findPageOfSpace(db: Db, spaceId: SpaceId): Promise<UnlistedPage | undefined> {
  return db.selectFrom('unlisted_pages').selectAll().where('space_id', '=', spaceId).executeTakeFirst();
}

export async function deletePageOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.deleteFrom('unlisted_pages').where('space_id', '=', spaceId).execute();
}

/** Returns the page that was published at a slug without an account. */
export async function findPageOfSlug(db: Db, slug: string): Promise<UnlistedPage | undefined> {
  return db
    .selectFrom('slugs')
    .innerJoin('unlisted_pages as page', 'page.space_id', 'slugs.space_id')
    .selectAll('page')
    .where('slugs.slug', '=', slug)
    .executeTakeFirst();
}

/** Ends a page for good: nobody can claim it any more, on any node, and the next sweep goes on with its deletion. */
export async function endPage(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.updateTable('unlisted_pages').set({ expires_at: 0 }).where('space_id', '=', spaceId).execute();
}

/** Marks an ended page whose space is gone. Its row stays for ever, and sweeps do not look at it again. */
export async function markGone(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.updateTable('unlisted_pages').set({ expires_at: -1 }).where('space_id', '=', spaceId).execute();
}

/** Returns false if the claim was spent already, or the page was ended. */
export async function spendClaim(tx: Tx, claimId: ClaimId, creatorId: AccountId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('unlisted_pages')
    .set({ claimed_at: tx.now, claimed_by: creatorId })
    .where('claim_id', '=', claimId)
    .where('claimed_at', 'is', null)
    .where('expires_at', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the hashes among these that belong to claim tokens which still open a page. */
export async function findLiveClaimHashes(db: Db, hashes: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('unlisted_pages')
    .select('claim_hash')
    .where('claim_hash', 'in', oneOf(db, hashes))
    .where('claimed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
  return rows.map((row) => row.claim_hash);
}

/** Returns expired pages that nobody claimed and whose space still exists. */
export async function findExpiredPages(db: Db, now: number, limit: number): Promise<UnlistedPage[]> {
  return db
    .selectFrom('unlisted_pages as page')
    .innerJoin('spaces as space', 'space.id', 'page.space_id')
    .selectAll('page')
    .where('page.expires_at', '>=', 0)
    .where('page.expires_at', '<=', now)
    .where('page.claimed_at', 'is', null)
    .limit(limit)
    .execute();
}
