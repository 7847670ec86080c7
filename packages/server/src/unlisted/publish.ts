import type { IncomingHttpHeaders } from 'node:http';
import type { createVersion as createOperation } from '@spaceport/contract/hosting';
import type { AnswerOf, BodyOf } from '@spaceport/contract/operation';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Caller, hasClaim } from '../platform/http/caller.ts';
import { readGivenKey, wrongKey } from '../platform/http/idempotency-key.ts';
import { senderOf } from '../platform/http/same-origin.ts';
import type { Urls } from '../platform/urls.ts';
import type { Soon } from '../platform/when-known.ts';
import { requireCreator } from '../spaces/rights.ts';
import { findSpaceById, findSpaceOfSlug, type SpaceRow } from '../spaces/spaces.ts';
import type { CreateKey } from '../versions/create-keys.ts';
import {
  type CreatedVersion,
  createVersion,
  type DryRun,
  dryRunVersion,
} from '../versions/create-version.ts';
import { accountPublisher, type Publisher } from '../versions/publisher.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { claimPage } from './claim-page.ts';
import { spaceOfClaim } from './claim-token.ts';
import { claimant, holder, newcomer, notOfClaim } from './publishers.ts';

/** The parts of a request that publishing needs. */
export interface PublishRequest {
  readonly caller: Caller;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

type CreateBody = BodyOf<typeof createOperation>;

/** A version, made by this request or by the one that it repeats. */
export interface PublishedVersion {
  readonly body: Exclude<AnswerOf<typeof createOperation>, DryRun>;
  readonly isRepeat: boolean;
}

/**
 * Shorter keys are refused of those who have neither account nor claim: 128 random bits are as long in hexadecimal
 * digits.
 */
const leastSecretKey = 32;

/**
 * Returns the Idempotency-Key of a publish; null if it has none. Nothing but the key tells whose publish it is if the
 * publisher has neither account nor claim: then it has to be one that nobody guesses.
 * @throws `invalid`
 */
export function publishKeyOf({ headers, caller }: PublishRequest): string | null {
  const key = readGivenKey(headers);
  if (key !== null && caller.kind === 'anonymous' && key.length < leastSecretKey)
    throw wrongKey(`must be random and have at least ${leastSecretKey} characters without an account`);
  return key;
}

/**
 * Creates a version. An account that sends a claim token takes over the page first, and the
 * version belongs to that page.
 * @throws the errors of claiming and creating, `cross_site` for a request without an account from another
 * site's page, and `not_owner` if the body names another space than the page
 */
export async function publishVersion(
  platform: Platform,
  request: PublishRequest,
  body: CreateBody,
  key: CreateKey | null,
): Promise<PublishedVersion> {
  const page = await pageSentWith(platform, request.caller, body);
  const publisher = await publisherOf(platform, request);
  // The claim has changed the slug.
  const claimed = page && (await findSpaceById(platform.database.db, page.id));
  const wanted = claimed ? { ...body, space: claimed.slug } : body;
  const created = await createVersion(platform, publisher, wanted, key);
  return { body: answerOf(platform.urls, created), isRepeat: created.isRepeat };
}

/** Runs the same checks as `publishVersion`, and stores and claims nothing. */
export async function tryVersion(
  platform: Platform,
  request: PublishRequest,
  body: CreateBody,
): Promise<DryRun> {
  const page = await pageSentWith(platform, request.caller, body);
  const publisher = await publisherBeforeClaim(platform, request);
  return dryRunVersion(platform, publisher, page ? { ...body, space: page.slug } : body);
}

/**
 * Returns the publisher: an account, which takes over the page of its claim token if it sent one, or
 * somebody without an account.
 */
export async function publisherOf(
  platform: Platform,
  { caller, address, headers }: PublishRequest,
): Promise<Publisher> {
  if (caller.kind === 'anonymous' || caller.kind === 'claim') {
    refuseOtherSites(platform.urls, headers);
    return caller.kind === 'claim' ? holder(platform, caller.claim, address) : newcomer(platform, address);
  }
  const creator = requireCreator(caller);
  if (creator.claim !== null) await claimPage(platform, creator, creator.claim);
  return accountPublisher(platform, creator);
}

/**
 * Returns the publisher of a call that claims nothing: an account with a claim token may do what it could once
 * the page is its own.
 * @throws `claim_not_found`, `claim_expired`, `claim_spent`, and `cross_site` as `publishVersion` does
 */
export async function publisherBeforeClaim(platform: Platform, request: PublishRequest): Promise<Publisher> {
  const { caller, address } = request;
  return hasClaim(caller) ? claimant(platform, caller, address) : publisherOf(platform, request);
}

/** Returns the publisher for a read. A claim token beside an account's credential is not looked at. */
export function readerOf(
  platform: Platform,
  { caller, address }: Pick<PublishRequest, 'caller' | 'address'>,
): Soon<Publisher> {
  return caller.kind === 'claim'
    ? holder(platform, caller.claim, address)
    : accountPublisher(platform, requireCreator(caller));
}

/**
 * Returns the space of the claim token that an account sends along, claimed or not.
 * @throws `not_owner` if the body names another space
 */
async function pageSentWith(
  platform: Platform,
  caller: Caller,
  { space }: CreateBody,
): Promise<SpaceRow | undefined> {
  const page = hasClaim(caller) ? await spaceOfClaim(platform, caller.claim) : undefined;
  if (page === undefined || space === undefined) return page;
  // A publish that is sent again may have the slug from before the claim.
  const named = await findSpaceOfSlug(platform.database.db, space);
  if (typeof named === 'string' || named.id !== page.id) throw notOfClaim(space);
  return page;
}

function refuseOtherSites(urls: Urls, headers: IncomingHttpHeaders): void {
  if (senderOf(headers, urls.app) !== 'cross-site') return;
  throw new ServiceError(
    'cross_site',
    "Publishing without an account does not work from another site's page.",
  );
}

/** Returns the answer to a create. Only this answer, and that of a repeat, contains the token of a new page. */
function answerOf(urls: Urls, { version, space, uploads, batch, limits, claim }: CreatedVersion) {
  const url = space.state === 'unlisted' ? urls.preview(unlistedLabel(space.slug)) : urls.live(space.slug);
  return {
    version,
    space: { slug: space.slug, url },
    uploads,
    batch,
    limits,
    ...(claim && { pageUrl: urls.page(space.slug), expiresAt: toTimestamp(claim.expiresAt) }),
    ...(claim?.token && { claimToken: claim.token, claimUrl: urls.claim(claim.token) }),
  };
}
