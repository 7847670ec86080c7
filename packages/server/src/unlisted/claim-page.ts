import { isBanned } from '../accounts/ban.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { findSpaceById, giveSpace, lockSpace, requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import { handVersionsOver } from '../versions/hand-over.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { claimExpired } from './claim-token.ts';
import { findPageByHash, spendClaim } from './unlisted.queries.ts';

/**
 * Gives an unlisted page to an account: the space, under a slug from its title, its versions and
 * their uploads. A claim is spent once, even if several accounts try at the same moment. Repeating
 * one's own claim changes nothing.
 * @throws `claim_not_found`, `claim_expired`, `claim_no_profile`, `claim_banned`, `too_large` if the account has no
 * room for the files, and `held` or `removed` while operators keep the page from changes
 */
export async function claimPage(
  { database }: Platform,
  creator: CreatorCaller,
  claim: string,
): Promise<SpaceRow> {
  const claimHash = hashSecret(claim);
  const space = await database.transaction(async (tx) => {
    const page = await findPageByHash(tx.db, claimHash);
    if (!page) throw wrong();
    const locked = await lockSpace(tx, page.space_id);
    if (page.claimed_at !== null) {
      if (page.claimed_by !== creator.creatorId || !locked) throw wrong();
      return locked;
    }
    requireMayClaim({ ...creator, banned: await isBanned(tx, creator.creatorId) });
    if (page.expires_at <= tx.now || !locked) throw claimExpired();
    requireUnfrozen(locked);
    // Another request spent the claim while this one waited for the lock.
    if (!(await spendClaim(tx, page.claim_id, creator.creatorId)))
      return claimedMeanwhile(tx.db, claimHash, creator);
    await giveSpace(tx, locked, creator.creatorId);
    await handVersionsOver(tx, locked.id, page.claim_id, creator.creatorId);
    // Nodes cache owner and address under the old slug, so that slug is announced too.
    tx.announce('space', locked.slug);
    tx.announce('preview', unlistedLabel(locked.slug));
    return findSpaceById(tx.db, locked.id);
  });
  if (!space) throw wrong();
  return space;
}

/** @throws `claim_banned`, `claim_no_profile` */
export function requireMayClaim({ banned, handle }: Pick<CreatorCaller, 'banned' | 'handle'>): void {
  if (banned) throw new ServiceError('claim_banned', 'This account cannot claim pages.');
  if (handle === null)
    throw new ServiceError('claim_no_profile', 'Pick a handle first, then claim the page.');
}

async function claimedMeanwhile(
  db: Parameters<typeof findPageByHash>[0],
  claimHash: string,
  creator: CreatorCaller,
): Promise<SpaceRow | undefined> {
  const page = await findPageByHash(db, claimHash);
  if (page?.claimed_by !== creator.creatorId) throw wrong();
  return findSpaceById(db, page.space_id);
}

function wrong(): ServiceError {
  return new ServiceError('claim_not_found', 'The claim token is wrong or was used.');
}
