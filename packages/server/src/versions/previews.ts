import { previewPrefix } from '@spaceport/contract/content-labels';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { type RateLimit, requireWithin } from '../platform/limits/rate-limit.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import type { Urls } from '../platform/urls.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { lockVersion, type OwnVersion, ownVersion, versionNotFound } from './own-version.ts';
import { accountPublisher } from './publisher.ts';
import { findLabelsOfVersion } from './sites.queries.ts';
import { isOffService } from './standing.ts';
import { unlistedLabel } from './unlisted-label.ts';
import { insertPreviewLink, type VersionRow } from './versions.queries.ts';

// 26 characters are 130 random bits, so nobody finds a preview by guessing.
const labelLength = 26;
/** How many further links an account may ask for. All links of a version are looked up when it changes. */
const furtherLinks: RateLimit = { count: 60, seconds: 3600 };

export interface PreviewLink {
  readonly label: string;
  readonly expiresAt: number;
}

/** Returns the two addresses of a preview: alone on its own host, and framed by a page of the service. */
export function previewAddresses(urls: Urls, label: string) {
  return { previewUrl: urls.preview(label), previewPageUrl: urls.previewPage(label) };
}

export async function addPreviewLink(tx: Tx, versionId: VersionId): Promise<PreviewLink> {
  const label = previewPrefix + randomLabel(labelLength);
  const expiresAt = tx.now + tx.config.PREVIEW_LINK_SECONDS * 1000;
  await insertPreviewLink(tx, { label, version_id: versionId, created_at: tx.now, expires_at: expiresAt });
  // The status read shows the newest link.
  tx.announce('version', versionId);
  return { label, expiresAt };
}

/** Announces the change of a preview to all hosts that show it, by its links or on its unlisted page. */
export async function announceWhereShown(
  tx: Tx,
  version: Pick<VersionRow, 'id' | 'space_id'>,
): Promise<void> {
  for (const label of await findLabelsOfVersion(tx.db, version.id)) tx.announce('preview', label);
  const space = await findSpaceById(tx.db, version.space_id);
  if (space?.state === 'unlisted') tx.announce('preview', unlistedLabel(space.slug));
  tx.announce('version', version.id);
}

/**
 * Makes a new link to a finished version.
 * @throws `not_found`, `not_previewable`, `space_unavailable`, `rate_limited`
 */
export async function newPreview(
  platform: Platform,
  caller: CreatorCaller,
  versionId: VersionId,
): Promise<PreviewLink> {
  const own = await ownVersion(platform, versionId, accountPublisher(platform, caller));
  return platform.database.transaction(async (tx) => {
    const locked = await lockVersion(tx, own.space.id, versionId);
    if (!locked) throw versionNotFound();
    requirePreviewable(locked);
    await requireWithin(tx, `previews:${caller.creatorId}`, furtherLinks, tooManyLinks);
    return addPreviewLink(tx, versionId);
  });
}

const tooManyLinks = `More than ${furtherLinks.count} preview links were made in an hour; try again later.`;

/** @throws `not_previewable`, `space_unavailable` */
function requirePreviewable({ version, space }: OwnVersion): void {
  if (isOffService(space)) {
    throw new ServiceError(
      'space_unavailable',
      `The space is ${space.state}; its versions cannot be previewed now.`,
    );
  }
  if (version.status === 'uploading')
    throw new ServiceError('not_previewable', 'The version is not finished yet.', {
      next: (app) => `POST ${app}/api/v1/hosting/versions/${version.id}/finish makes it a preview.`,
    });
  if (version.status === 'refused')
    throw new ServiceError('not_previewable', 'The version was refused by the safety check.', {
      next: (app) =>
        `GET ${app}/api/v1/hosting/versions/${version.id} says in «report» what to change; then publish a new version.`,
    });
}
