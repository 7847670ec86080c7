import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { findSpaceById, type SpaceRow } from '../spaces/spaces.ts';
import { findPageByHash, type UnlistedPage } from './unlisted.queries.ts';

/**
 * Returns the page of a claim token.
 * @throws `claim_not_found`, `claim_expired`, `claim_spent`
 */
export async function openPage({ database, clock }: Platform, claim: string): Promise<UnlistedPage> {
  const page = await findPageByHash(database.db, hashSecret(claim));
  requireOpen(page, clock.now());
  return page;
}

/** @throws `claim_not_found`, `claim_expired` or `claim_spent` if the page is not open any more */
export function requireOpen(page: UnlistedPage | undefined, now: number): asserts page is UnlistedPage {
  if (!page) throw new ServiceError('claim_not_found', 'The claim token is wrong.');
  if (page.claimed_at !== null) {
    throw new ServiceError(
      'claim_spent',
      'The page of this claim token was claimed; sign in as that account and publish again.',
    );
  }
  if (page.expires_at <= now) throw claimExpired();
}

export function claimExpired(): ServiceError {
  return new ServiceError('claim_expired', 'The claim token has expired; publish again for a new one.');
}

/**
 * Returns the space of an open page.
 * @throws `claim_expired` if it is gone
 */
export async function spaceOfPage({ database }: Platform, page: UnlistedPage): Promise<SpaceRow> {
  const space = await findSpaceById(database.db, page.space_id);
  if (!space) throw new ServiceError('claim_expired', 'The page of this claim token is gone.');
  return space;
}

/** Returns the space of a claim token, claimed or not. */
export async function spaceOfClaim({ database }: Platform, claim: string): Promise<SpaceRow | undefined> {
  const page = await findPageByHash(database.db, hashSecret(claim));
  return page && findSpaceById(database.db, page.space_id);
}

/**
 * Returns what the holder of a claim token may read about its page.
 * @throws the errors of `openPage`
 */
export async function readClaim(
  platform: Platform,
  claim: string,
): Promise<{ pageUrl: string; expiresAt: string }> {
  const page = await openPage(platform, claim);
  const space = await spaceOfPage(platform, page);
  return { pageUrl: platform.urls.page(space.slug), expiresAt: toTimestamp(page.expires_at) };
}
