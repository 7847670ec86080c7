import type { VersionListEntry, VersionRead } from '@spaceport/contract/versions';
import { findTakeOfVersion } from '../clips/clips.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { type Soon, whenKnown } from '../platform/when-known.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import { ownSpaceForHosting } from '../spaces/spaces.ts';
import { missingPaths } from './finish-version.ts';
import { findVersionAndSpace, versionNotFound } from './own-version.ts';
import { previewAddresses } from './previews.ts';
import type { Publisher } from './publisher.ts';
import { isPreviewable, possibleWith } from './standing.ts';
import { createStatusCache, type Status } from './status-cache.ts';
import {
  findLiveVersion,
  findPreviewLink,
  listFinishedVersions,
  readManifest,
  type VersionRow,
} from './versions.queries.ts';

const listedVersions = 100;

/** How long a status read may wait. The signal is aborted when the client has gone. */
interface Wait {
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export interface StatusReads {
  /**
   * Returns the status of a version, at once if it is cached. With `wait`, the answer for a version whose
   * status can still change comes at the change, and for a preview when its report exists.
   * @throws `not_found` if the version does not exist or belongs to somebody else
   */
  read(
    publisher: Pick<Publisher, 'owns'>,
    id: VersionId,
    wait: Wait | null,
  ): Soon<Pick<Status, 'read' | 'json'>>;
  close(): void;
}

export function createStatusReads(platform: Platform): StatusReads {
  const cache = createStatusCache(platform);

  function ownStatus(publisher: Pick<Publisher, 'owns'>, id: VersionId): Soon<Status> {
    return whenKnown(
      cache.find(id, () => lookUp(platform, id)),
      (status) => {
        if (!publisher.owns(status.space)) throw versionNotFound();
        return status;
      },
    );
  }

  async function readLater(publisher: Pick<Publisher, 'owns'>, id: VersionId, wait: Wait): Promise<Status> {
    // Listening starts before the first look, so that a change between the two is not missed.
    const change = nextChange(platform, id, wait);
    try {
      const before = await ownStatus(publisher, id);
      let status = before;
      while (isPending(status.read) && !isNews(before.read, status.read) && !change.isOver()) {
        await change.next();
        status = await ownStatus(publisher, id);
      }
      return status;
    } finally {
      change.stop();
    }
  }

  return {
    read: (publisher, id, wait) =>
      wait === null ? ownStatus(publisher, id) : readLater(publisher, id, wait),
    close: cache.close,
  };
}

/**
 * Returns whether the status, or the report of a preview, can still change without an action of the creator.
 */
function isPending({ status, stopped, report }: VersionRead): boolean {
  if (status === 'preview') return report === undefined;
  return status === 'uploading' || (status === 'checking' && !stopped);
}

function isNews(before: VersionRead, now: VersionRead): boolean {
  return now.status !== before.status || now.stopped !== before.stopped;
}

/**
 * Watches one version. `next()` resolves at each announced change of it, and at the latest when the time is
 * over.
 */
function nextChange({ database, closing }: Platform, id: VersionId, { seconds, signal }: Wait) {
  let wake = () => {};
  let changed = false;
  const over = AbortSignal.any([AbortSignal.timeout(seconds * 1000), closing, signal]);
  const onOver = () => wake();
  over.addEventListener('abort', onOver);
  const stopListening = database.announcements.listen('version', (which) => {
    if (which !== id && which !== '*') return;
    changed = true;
    wake();
  });
  return {
    isOver: () => over.aborted,
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        if (changed || over.aborted) resolve();
        changed = false;
      }),
    stop: () => {
      stopListening();
      over.removeEventListener('abort', onOver);
    },
  };
}

async function lookUp({ database, urls, clock }: Platform, id: VersionId): Promise<Status> {
  const { version, space } = await findVersionAndSpace(database.db, id);
  const link = isPreviewable(version) ? await findPreviewLink(database.db, version.id, 'newest') : undefined;
  const shownLink = link && link.expiresAt > clock.now() ? link : null;
  const missing =
    version.status === 'uploading'
      ? await missingPaths(database.db, version, await readManifest(database.db, version.id))
      : undefined;
  const take = version.live_at === null ? undefined : await findTakeOfVersion(database.db, version.id);
  const read: VersionRead = {
    id: version.id,
    number: version.number,
    status: version.status,
    ...(version.reason === null ? {} : { reason: version.reason }),
    ...(take === undefined ? {} : { shownOnTake: take }),
    pageUrl: urls.page(space.slug),
    ...(shownLink ? previewAddresses(urls, shownLink.label) : {}),
    createdAt: toTimestamp(version.created_at),
    ...(version.live_at === null ? {} : { liveAt: toTimestamp(version.live_at) }),
    reviewRequested: version.review_requested_at !== null,
    ...reviewOf(version),
    ...(version.stopped === 1 ? { stopped: true } : {}),
    ...(missing ? { missing } : {}),
    ...(version.report === null ? {} : { report: fromJson(version.report) }),
  };
  return {
    space: { id: space.id, owner_id: space.owner_id, slug: space.slug },
    read,
    json: JSON.stringify(read),
    endsAt: shownLink?.expiresAt ?? null,
  };
}

function reviewOf(version: VersionRow): Pick<VersionRead, 'review'> {
  const { review_requested_at: requestedAt, review_decided_at: decidedAt, review_outcome: outcome } = version;
  if (requestedAt === null) return {};
  const review = { requestedAt: toTimestamp(requestedAt) };
  if (decidedAt === null || outcome === null) return { review };
  return { review: { ...review, decidedAt: toTimestamp(decidedAt), outcome } };
}

/** Returns the last 100 finished versions, newest first. */
export async function listVersions(
  { database }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<VersionListEntry[]> {
  const space = await ownSpaceForHosting(database.db, slug, caller);
  const versions = await listFinishedVersions(database.db, space.id, listedVersions);
  const live = await findLiveVersion(database.db, space);
  return versions.map((version) => toListEntry(space, version, live));
}

function toListEntry(space: SpaceRow, version: VersionRow, live: VersionRow | null): VersionListEntry {
  return {
    id: version.id,
    number: version.number,
    status: version.status,
    createdAt: toTimestamp(version.created_at),
    files: version.files,
    size: version.bytes,
    ...(version.reason === null ? {} : { reason: version.reason }),
    ...(version.live_at === null ? {} : { liveAt: toTimestamp(version.live_at) }),
    leftBehind: version.left_behind === 1,
    ...possibleWith(space, version, live),
  };
}
