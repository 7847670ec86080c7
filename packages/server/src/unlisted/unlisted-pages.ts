import type { IncomingHttpHeaders } from 'node:http';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { newId, randomLabel } from '../platform/secrets/id.ts';
import { hashSecret, issueSecret } from '../platform/secrets/secret.ts';
import { createSpace, findSpaceById, requireOnService, type SpaceRow } from '../spaces/spaces.ts';
import type { Publisher } from '../versions/publisher.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { claimPage } from './claim-page.ts';
import { findPageByHash, findPageOfSpace, insertPage, type UnlistedPage } from './unlisted.queries.ts';

// 130 random bits: nobody finds a page that is not listed by trying.
const slugLength = 26;

/** Publishing without an account: unlisted pages that last a week, and the claim tokens that open them. */
export interface UnlistedPages {
  /** Somebody without an account or a page. Throws `cross_site` for a request from another site's page. */
  newcomer(address: string, headers: IncomingHttpHeaders): Publisher;
  /** Whoever holds a claim token and publishes with it. Throws what `newcomer` and `holder` throw. */
  publishingHolder(claim: string, address: string, headers: IncomingHttpHeaders): Promise<Publisher>;
  /** Whoever holds a claim token, to read. Throws `claim_not_found`, `claim_expired`, `claim_spent`. */
  holder(claim: string, address: string): Promise<Publisher>;
  /** The page goes to the account. Throws `claim_not_found`, `claim_expired`, `claim_no_profile`, `claim_banned`. */
  claim(creator: CreatorCaller, claim: string): Promise<SpaceRow>;
  /** The space a claim token stands for, claimed or not. */
  spaceOf(claim: string): Promise<SpaceRow | undefined>;
  /** What the claim token opens. */
  read(claim: string): Promise<{ pageUrl: string; expiresAt: string }>;
  /** What a create's answer adds for an unlisted page; the token the first time only. */
  described(publisher: Publisher, space: SpaceRow): Promise<UnlistedDetails>;
  /** The page's own origin. */
  contentUrl(space: SpaceRow): string;
}

interface UnlistedDetails {
  pageUrl?: string;
  expiresAt?: string;
  claimToken?: string;
  claimUrl?: string;
}

export function createUnlistedPages(platform: Platform): UnlistedPages {
  const { config, database, clock, urls } = platform;
  // The token is known while its create is answered, and then to nobody but its holder.
  const issued = new WeakMap<Publisher, string>();

  const common = (address: string) => ({
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
    requireMayPublish: () => {},
  });

  async function openPage(claimHash: string): Promise<UnlistedPage> {
    const page = await findPageByHash(database.db, claimHash);
    requireOpen(page, clock.now());
    return page;
  }

  function refuseOtherSites(headers: IncomingHttpHeaders): void {
    if (senderOf(headers, urls.app) !== 'cross-site') return;
    throw new ServiceError(
      'cross_site',
      "Publishing without an account is not done from another site's page.",
    );
  }

  return {
    newcomer(address, headers) {
      refuseOtherSites(headers);
      let claimId = '';
      const publisher: Publisher = {
        ...common(address),
        owns: () => false,
        async findSpace(slug) {
          if (slug === undefined) return null;
          throw new ServiceError(
            'unauthorized',
            'To publish to a space that is there, send its API token or claim token.',
          );
        },
        async openSpace(tx, fields, now) {
          const slug = randomLabel(slugLength);
          const kind = { owner_id: null, hosted: 1, claimed: 0, url: null, state: 'unlisted' } as const;
          const space = await createSpace(tx, fields, { ...kind, slug }, now);
          const claimToken = issueSecret('claim');
          claimId = newId('clm');
          await insertPage(tx, {
            claim_id: claimId,
            claim_hash: hashSecret(claimToken),
            space_id: space.id,
            created_at: now,
            expires_at: now + config.CLAIM_TOKEN_SECONDS * 1000,
            claimed_at: null,
            claimed_by: null,
          });
          issued.set(publisher, claimToken);
          return space;
        },
        confirm: async () => {},
        principalFor: () => claimId,
      };
      return publisher;
    },

    async publishingHolder(claim, address, headers) {
      refuseOtherSites(headers);
      return this.holder(claim, address);
    },

    async holder(claim, address) {
      const claimHash = hashSecret(claim);
      const page = await openPage(claimHash);
      return {
        ...common(address),
        owns: (space) => space.id === page.space_id,
        async findSpace(slug) {
          const space = await findSpaceById(database.db, page.space_id);
          if (!space) throw new ServiceError('claim_expired', 'The page of this claim token is gone.');
          if (slug !== undefined && slug !== space.slug) {
            throw new ServiceError('not_owner', `The space «${slug}» is not the one of this claim token.`);
          }
          requireOnService(space);
          return space;
        },
        openSpace: async () => {
          throw new Error('a claim token has its page');
        },
        // Claimed or expired since the token was looked up: the space's lock makes this look the last word.
        confirm: async (tx: Tx) => requireOpen(await findPageByHash(tx.db, claimHash), clock.now()),
        principalFor: () => page.claim_id,
      };
    },

    claim: (creator, claim) => claimPage(platform, creator, hashSecret(claim)),

    async spaceOf(claim) {
      const page = await findPageByHash(database.db, hashSecret(claim));
      return page && findSpaceById(database.db, page.space_id);
    },

    async read(claim) {
      const page = await openPage(hashSecret(claim));
      const space = await findSpaceById(database.db, page.space_id);
      if (!space) throw new ServiceError('claim_expired', 'The page of this claim token is gone.');
      return { pageUrl: urls.page(space.slug), expiresAt: toTimestamp(page.expires_at) };
    },

    async described(publisher, space) {
      if (publisher.mayGoLive) return {};
      const page = await findPageOfSpace(database.db, space.id);
      const claimToken = issued.get(publisher);
      return {
        pageUrl: urls.page(space.slug),
        ...(page ? { expiresAt: toTimestamp(page.expires_at) } : {}),
        ...(claimToken === undefined ? {} : { claimToken, claimUrl: urls.claim(claimToken) }),
      };
    },

    contentUrl: (space) => urls.preview(unlistedLabel(space.slug)),
  };
}

/** Throws what a claim token without an account is answered when its page is not open any more. */
function requireOpen(page: UnlistedPage | undefined, now: number): asserts page is UnlistedPage {
  if (!page) throw new ServiceError('claim_not_found', 'The claim token is wrong.');
  if (page.claimed_at !== null) {
    throw new ServiceError(
      'claim_spent',
      'The page of this claim token was claimed; sign in as that account and publish again.',
    );
  }
  if (page.expires_at <= now)
    throw new ServiceError('claim_expired', 'The claim token is past its time; publish again for a new one.');
}
