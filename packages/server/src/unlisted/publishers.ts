import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { ClaimingCaller } from '../platform/http/caller.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { newId, randomLabel } from '../platform/secrets/id.ts';
import { deriveSecret, hashSecret, issueSecret } from '../platform/secrets/secret.ts';
import { requireFields } from '../spaces/space-fields.ts';
import { createSpace, requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import { accountPublisher, type OpenedSpace, type Publisher } from '../versions/publisher.ts';
import { requireMayClaim } from './claim-page.ts';
import { openPage, requireOpen, spaceOfClaim, spaceOfPage } from './claim-token.ts';
import { findPageByHash, insertPage } from './unlisted.queries.ts';

// 26 characters are 130 random bits, so nobody finds an unlisted page by guessing.
const slugLength = 26;

/** The publisher without an account and without a page. */
export function newcomer(platform: Platform, address: string): Publisher {
  return {
    ...withoutAccount(platform, address),
    owns: () => false,
    async findSpace(slug) {
      if (slug === undefined) return null;
      throw new ServiceError(
        'unauthorized',
        'To publish to a space that is there, send its API token or claim token.',
      );
    },
    async openSpace(tx, made, fields, tokenSource) {
      const token = tokenSource
        ? deriveSecret('claim', tokenSource.key, tokenSource.salt)
        : issueSecret('claim');
      if (made) return ownPage(tx, made, token);
      const slug = randomLabel(slugLength);
      const kind = { owner_id: null, hosted: 1, claimed: 0, url: null, state: 'unlisted' } as const;
      const space = await createSpace(tx, requireFields(fields), { ...kind, slug });
      const principal = newId('clm');
      const expiresAt = tx.now + tx.config.CLAIM_TOKEN_SECONDS * 1000;
      await insertPage(tx, {
        claim_id: principal,
        claim_hash: hashSecret(token),
        space_id: space.id,
        created_at: tx.now,
        expires_at: expiresAt,
        claimed_at: null,
        claimed_by: null,
      });
      return { space, principal, claim: { expiresAt, token } };
    },
    confirm: async () => {},
    principal: null,
  };
}

/**
 * Returns the page that an earlier create with the same key has made.
 * @throws `claim_expired`, and `claim_spent` if an account has taken it over
 */
async function ownPage(tx: Tx, space: SpaceRow, token: string): Promise<OpenedSpace> {
  const page = await findPageByHash(tx.db, hashSecret(token));
  requireOpen(page, tx.now);
  return { space, principal: page.claim_id, claim: { expiresAt: page.expires_at, token } };
}

/**
 * The publisher who holds a claim token.
 * @throws `claim_not_found`, `claim_expired`, `claim_spent`
 */
export async function holder(platform: Platform, claim: string, address: string): Promise<Publisher> {
  const page = await openPage(platform, claim);
  const find = async () => spaceOfPage(platform, page);
  return {
    ...withoutAccount(platform, address),
    owns: (space) => space.id === page.space_id,
    async findSpace(slug) {
      const space = await find();
      if (slug !== undefined && slug !== space.slug) throw notOfClaim(slug);
      requireUnfrozen(space);
      return space;
    },
    openSpace: async (_tx, space) => ({
      space: space ?? (await find()),
      principal: page.claim_id,
      claim: { expiresAt: page.expires_at },
    }),
    // The page may have been claimed or have expired since the token was looked up. This check under
    // the space's lock decides.
    confirm: async (tx) => requireOpen(await findPageByHash(tx.db, page.claim_hash), platform.clock.now()),
    principal: page.claim_id,
  };
}

/**
 * The account that sends a claim token, before it takes over the page: it publishes to the page, with the limits
 * of an account.
 * @throws the errors of `holder`
 */
export async function claimant(
  platform: Platform,
  caller: ClaimingCaller,
  address: string,
): Promise<Publisher> {
  const account = accountPublisher(platform, caller);
  const page = await spaceOfClaim(platform, caller.claim);
  if (page && account.owns(page)) return account;
  const { owns, findSpace, principal } = await holder(platform, caller.claim, address);
  return {
    ...account,
    owns: (space) => account.owns(space) || owns(space),
    requireMayPublish: () => requireMayClaim(caller),
    findSpace,
    principal,
  };
}

export function notOfClaim(slug: string): ServiceError {
  return new ServiceError('not_owner', `The space «${slug}» does not belong to this claim token.`);
}

function withoutAccount({ config }: Platform, address: string) {
  return {
    limits: {
      maxFileBytes: config.ANONYMOUS_MAX_FILE_BYTES,
      maxVersionBytes: config.ANONYMOUS_MAX_VERSION_BYTES,
    },
    quota: null,
    rate: {
      bucket: `publish-from:${networkOf(address)}`,
      limit: { count: config.ANONYMOUS_PUBLISHES_PER_HOUR, seconds: 3600 },
    },
    mayGoLive: false,
    moreBy: (app: string) =>
      `An account may do more: POST ${app}/api/agent/login starts a sign-in; send its API token with «claim» to keep the page.`,
    requireMayPublish() {
      if (config.ANONYMOUS_PUBLISHES_PER_HOUR > 0) return;
      throw new ServiceError('sign_in_required', 'Publishing on this service needs an account.', {
        next: (app) => `POST ${app}/api/agent/login starts a sign-in; publish again with its API token.`,
      });
    },
  };
}
