import * as hosting from '@spaceport/contract/hosting';
import * as ownVersions from '@spaceport/contract/own-versions';
import * as versions from '@spaceport/contract/versions';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { hashRequest, replayedHeaders } from '../platform/http/idempotency-key.ts';
import type { Binder } from '../platform/http/operations.ts';
import { whenKnown } from '../platform/when-known.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { readClaim } from '../unlisted/claim-token.ts';
import {
  publisherBeforeClaim,
  publisherOf,
  publishKeyOf,
  publishVersion,
  readerOf,
  tryVersion,
} from '../unlisted/publish.ts';
import { finishVersion } from '../versions/finish-version.ts';
import { rollback } from '../versions/live.ts';
import { newPreview, previewAddresses } from '../versions/previews.ts';
import { listVersions, type StatusReads } from '../versions/read-version.ts';
import { requestReview } from '../versions/review.ts';
import { uploadBatch } from '../versions/upload-links.ts';
import type { Uploads } from '../versions/uploads.ts';
import { readVersionFiles } from '../versions/version-files.ts';

/** Binds publishing over HTTP: versions of accounts, and of unlisted pages without one. */
export function bindHosting(
  binder: Binder,
  platform: Platform,
  { uploads, statuses }: { uploads: Uploads; statuses: StatusReads },
): void {
  const { urls } = platform;
  binder.bind(hosting.createVersion, async ({ body, ...request }) => {
    if (body.dryRun === true) return { status: 200, body: await tryVersion(platform, request, body) };
    const key = publishKeyOf(request);
    const requestHash = hashRequest(hosting.createVersion.id, body);
    const made = await publishVersion(platform, request, body, key === null ? null : { key, requestHash });
    return { status: 201, body: made.body, ...(made.isRepeat && { headers: replayedHeaders }) };
  });

  binder.bind(hosting.freshUploads, async ({ params, ...request }) => ({
    body: {
      uploads: await uploads.fresh(givenId('ver', params.id), await publisherBeforeClaim(platform, request)),
      batch: uploadBatch(platform),
    },
  }));

  binder.bind(hosting.finishVersion, async ({ params, body, ...request }) => ({
    body: await finishVersion(
      platform,
      await publisherOf(platform, request),
      givenId('ver', params.id),
      body,
    ),
  }));

  binder.bindAhead(hosting.readVersion, ({ params, query, gone, ...request }) =>
    whenKnown(readerOf(platform, request), (reader) => {
      const wait = query.wait ? { seconds: query.wait, signal: gone() } : null;
      const status = statuses.read(reader, givenId('ver', params.id), wait);
      return whenKnown(status, ({ read, json }) => ({ body: read, json }));
    }),
  );

  binder.bind(hosting.readVersionFiles, async ({ params, query, ...request }) => ({
    body: await readVersionFiles(
      platform,
      await readerOf(platform, request),
      givenId('ver', params.id),
      query.against,
    ),
  }));

  binder.bind(hosting.readClaim, async ({ caller }) => {
    if (caller.kind !== 'claim')
      throw new ServiceError(
        'claim_not_found',
        `The claim token goes into the ${versions.claimHeader} header.`,
      );
    return { body: await readClaim(platform, caller.claim) };
  });

  binder.bind(ownVersions.listVersions, async ({ params, caller }) => ({
    body: { versions: await listVersions(platform, requireCreator(caller), params.slug) },
  }));

  binder.bind(ownVersions.rollback, async ({ params, caller, body }) => {
    const space = await rollback(platform, requireActive(caller), params.slug, body.version);
    return {
      body: { version: { number: body.version }, status: 'live' as const, pageUrl: urls.page(space.slug) },
    };
  });

  binder.bind(ownVersions.newPreview, async ({ params, caller }) => {
    const { label, expiresAt } = await newPreview(platform, requireActive(caller), givenId('ver', params.id));
    return {
      body: {
        ...previewAddresses(urls, label),
        expiresAt: toTimestamp(expiresAt),
      },
    };
  });

  binder.bind(ownVersions.requestReview, async ({ params, caller }) => ({
    body: {
      requestedAt: toTimestamp(
        await requestReview(platform, requireActive(caller), givenId('ver', params.id)),
      ),
    },
  }));
}
