import * as hosting from '@spaceport/contract/hosting';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller, CreatorCaller } from '../platform/http/caller.ts';
import type { Binder } from '../platform/http/operations.ts';
import { createVersion, dryRunVersion } from './create-version.ts';
import { finishVersion } from './finish-version.ts';
import { rollback } from './live.ts';
import { newPreview } from './previews.ts';
import { listVersions, readVersion } from './read-version.ts';
import { requestReview } from './review.ts';
import type { Uploads } from './uploads.ts';

export function bindVersions(binder: Binder, platform: Platform, uploads: Uploads): void {
  const { urls } = platform;

  binder.bind(hosting.createVersion, async ({ caller, body }) => {
    const creator = requireCreator(caller);
    if (body.dryRun === true) return { status: 200, body: await dryRunVersion(platform, creator, body) };
    const { version, space, uploads, limits } = await createVersion(platform, creator, body);
    return {
      status: 201,
      body: { version, space: { slug: space.slug, url: urls.live(space.slug) }, uploads, limits },
    };
  });

  binder.bind(hosting.freshUploads, async ({ params, caller }) => ({
    body: { uploads: await uploads.fresh(params.id, caller) },
  }));

  binder.bind(hosting.finishVersion, async ({ params, caller, body }) => ({
    body: await finishVersion(platform, requireCreator(caller), params.id, body),
  }));

  binder.bind(hosting.readVersion, async ({ params, query, caller, signal }) => ({
    body: await readVersion(platform, caller, params.id, query.wait ?? 0, signal),
  }));

  binder.bind(hosting.listVersions, async ({ params, caller }) => ({
    body: { versions: await listVersions(platform, requireCreator(caller), params.slug) },
  }));

  binder.bind(hosting.rollback, async ({ params, caller, body }) => {
    const space = await rollback(platform, requireCreator(caller), params.slug, body.version);
    return {
      body: { version: { number: body.version }, status: 'live' as const, pageUrl: urls.page(space.slug) },
    };
  });

  binder.bind(hosting.newPreview, async ({ params, caller }) => {
    const { label, expiresAt } = await newPreview(platform, requireCreator(caller), params.id);
    return { body: { previewUrl: urls.preview(label), expiresAt: toTimestamp(expiresAt) } };
  });

  binder.bind(hosting.requestReview, async ({ params, caller }) => ({
    body: { requestedAt: toTimestamp(await requestReview(platform, requireCreator(caller), params.id)) },
  }));
}

function requireCreator(caller: Caller): CreatorCaller {
  if (caller.kind === 'creator') return caller;
  throw new ServiceError(
    'unauthorized',
    'An API token is needed: send it as «Authorization: Bearer <API token>».',
  );
}
