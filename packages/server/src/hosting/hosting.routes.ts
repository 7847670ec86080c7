import * as hosting from '@spaceport/contract/hosting';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Binder, OperationRequest } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { createUnlistedPages } from '../unlisted/unlisted-pages.ts';
import { createVersion, dryRunVersion } from '../versions/create-version.ts';
import { finishVersion } from '../versions/finish-version.ts';
import { rollback } from '../versions/live.ts';
import { newPreview } from '../versions/previews.ts';
import { accountPublisher, type Publisher } from '../versions/publisher.ts';
import { listVersions, type StatusReads } from '../versions/read-version.ts';
import { requestReview } from '../versions/review.ts';
import type { Uploads } from '../versions/uploads.ts';
import { readVersionFiles } from '../versions/version-files.ts';

/** The HTTP face of publishing: versions of accounts, and of unlisted pages without one. */
export function bindHosting(
  binder: Binder,
  platform: Platform,
  { uploads, statuses }: { uploads: Uploads; statuses: StatusReads },
): void {
  const { urls } = platform;
  const pages = createUnlistedPages(platform);

  /** An account, which takes over the page of a claim token that came along, or the holder of a claim token. */
  async function publisherOf({
    caller,
    address,
    headers,
  }: Pick<
    OperationRequest<typeof hosting.finishVersion>,
    'caller' | 'address' | 'headers'
  >): Promise<Publisher> {
    if (caller.kind === 'claim') return pages.publishingHolder(caller.claim, address, headers);
    const creator = requireCreator(caller);
    if (creator.claim !== null) await pages.claim(creator, creator.claim);
    return accountPublisher(platform, creator);
  }

  binder.bind(hosting.createVersion, async ({ caller, body, headers, address }) => {
    const claimed =
      caller.kind === 'creator' && caller.claim !== null ? await pages.spaceOf(caller.claim) : undefined;
    if (body.dryRun === true) {
      // Nothing is claimed either: whoever could claim the page is told as its holder, or as its owner by now.
      const holds =
        caller.kind === 'creator' && caller.claim !== null && claimed?.owner_id !== caller.creatorId;
      const asking: Caller = holds && caller.claim !== null ? { kind: 'claim', claim: caller.claim } : caller;
      const publisher =
        asking.kind === 'anonymous'
          ? pages.newcomer(address, headers)
          : await publisherOf({ caller: asking, address, headers });
      return {
        status: 200,
        body: await dryRunVersion(platform, publisher, claimed ? { ...body, space: claimed.slug } : body),
      };
    }
    const publisher =
      caller.kind === 'anonymous'
        ? pages.newcomer(address, headers)
        : await publisherOf({ caller, address, headers });
    // By its slug of now: claiming gave it one from its title.
    const own = claimed && (await findSpaceById(platform.database.db, claimed.id));
    const { version, space, uploads, limits } = await createVersion(
      platform,
      publisher,
      own ? { ...body, space: own.slug } : body,
    );
    const unlisted = await pages.described(publisher, space);
    const url = space.state === 'unlisted' ? pages.contentUrl(space) : urls.live(space.slug);
    return { status: 201, body: { version, space: { slug: space.slug, url }, uploads, limits, ...unlisted } };
  });

  binder.bind(hosting.freshUploads, async ({ params, ...request }) => ({
    body: { uploads: await uploads.fresh(params.id, await publisherOf(request)) },
  }));

  binder.bind(hosting.finishVersion, async ({ params, body, ...request }) => ({
    body: await finishVersion(platform, await publisherOf(request), params.id, body),
  }));

  /** The same for a read, which claims nothing. */
  const readerOf = async (caller: Caller, address: string): Promise<Publisher> =>
    caller.kind === 'claim'
      ? pages.holder(caller.claim, address)
      : accountPublisher(platform, requireCreator(caller));

  binder.bind(hosting.readVersion, async ({ params, query, caller, gone, address }) => {
    const publisher = await readerOf(caller, address);
    const wait = query.wait ? { seconds: query.wait, signal: gone() } : null;
    const { read, json } = await statuses.read(publisher, params.id, wait);
    return { body: read, json };
  });

  binder.bind(hosting.readVersionFiles, async ({ params, query, caller, address }) => ({
    body: await readVersionFiles(platform, await readerOf(caller, address), params.id, query.against),
  }));

  binder.bind(hosting.readClaim, async ({ caller }) => {
    if (caller.kind !== 'claim')
      throw new ServiceError(
        'claim_not_found',
        `The claim token goes into the ${hosting.claimHeader} header.`,
      );
    return { body: await pages.read(caller.claim) };
  });

  binder.bind(hosting.listVersions, async ({ params, caller }) => ({
    body: { versions: await listVersions(platform, requireCreator(caller), params.slug) },
  }));

  binder.bind(hosting.rollback, async ({ params, caller, body }) => {
    const space = await rollback(platform, requireActive(caller), params.slug, body.version);
    return {
      body: { version: { number: body.version }, status: 'live' as const, pageUrl: urls.page(space.slug) },
    };
  });

  binder.bind(hosting.newPreview, async ({ params, caller }) => {
    const { label, expiresAt } = await newPreview(platform, requireActive(caller), params.id);
    return { body: { previewUrl: urls.preview(label), expiresAt: toTimestamp(expiresAt) } };
  });

  binder.bind(hosting.requestReview, async ({ params, caller }) => ({
    body: { requestedAt: toTimestamp(await requestReview(platform, requireActive(caller), params.id)) },
  }));
}
