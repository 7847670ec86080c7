import type { CheckReport, VersionListEntry, VersionRead } from '@spaceport/contract/hosting';
import { findTakeOfVersion } from '../clips/takes.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import { ownSpaceForHosting } from '../spaces/spaces.ts';
import { missingPaths } from './finish-version.ts';
import { rollbackProblem } from './live.ts';
import { type OwnVersion, ownVersion } from './own-version.ts';
import type { Publisher } from './publisher.ts';
import { findPreviewLink, listFinishedVersions, readManifest, type VersionRow } from './versions.queries.ts';

const listedVersions = 100;

/** The status read. With `waitSeconds`, a version whose status can still change is answered when it does. */
export async function readVersion(
  platform: Platform,
  publisher: Pick<Publisher, 'owns'>,
  id: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<VersionRead> {
  // Listening starts before the first look: a change between the two is not missed.
  const change = waitSeconds > 0 ? nextChange(platform, id, waitSeconds, signal) : null;
  try {
    let found = await ownVersion(platform, id, publisher);
    if (change && isPending(found.version)) {
      const before = found.version;
      while (!change.isOver()) {
        await change.next();
        found = await ownVersion(platform, id, publisher);
        if (found.version.status !== before.status || found.version.stopped !== before.stopped) break;
      }
    }
    return await shape(platform, found);
  } finally {
    change?.stop();
  }
}

function isPending(version: VersionRow): boolean {
  return version.status === 'uploading' || (version.status === 'checking' && version.stopped === 0);
}

/** Resolves `next()` at every announced change of the version, and at the latest when the time is over. */
function nextChange({ database, closing }: Platform, id: string, seconds: number, signal: AbortSignal) {
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

async function shape(
  { database, urls, clock }: Platform,
  { version, space }: OwnVersion,
): Promise<VersionRead> {
  const link =
    version.status === 'refused' ? undefined : await findPreviewLink(database.db, version.id, 'newest');
  const missing =
    version.status === 'uploading'
      ? await missingPaths(database.db, version, await readManifest(database.db, version.id))
      : undefined;
  const take = version.live_at === null ? undefined : await findTakeOfVersion(database.db, version.id);
  return {
    id: version.id,
    number: version.number,
    status: version.status,
    ...(version.reason === null ? {} : { reason: version.reason }),
    ...(take === undefined ? {} : { shownOnTake: take }),
    pageUrl: urls.page(space.slug),
    ...(link && link.expiresAt > clock.now() ? { previewUrl: urls.preview(link.label) } : {}),
    createdAt: toTimestamp(version.created_at),
    ...(version.live_at === null ? {} : { liveAt: toTimestamp(version.live_at) }),
    reviewRequested: version.review_requested_at !== null,
    ...(version.stopped === 1 ? { stopped: true } : {}),
    ...(missing ? { missing } : {}),
    ...(version.report === null ? {} : { report: JSON.parse(version.report) as CheckReport }),
  };
}

/** The last 100 finished versions, newest first. */
export async function listVersions(
  { database }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<VersionListEntry[]> {
  const space = await ownSpaceForHosting(database.db, slug, caller);
  const versions = await listFinishedVersions(database.db, space.id, listedVersions);
  return versions.map((version) => toListEntry(space, version));
}

function toListEntry(space: SpaceRow, version: VersionRow): VersionListEntry {
  const onService = space.state !== 'held' && space.state !== 'removed';
  const live = space.hosted === 1 && space.live_version_id === version.id;
  return {
    id: version.id,
    number: version.number,
    status: version.status,
    createdAt: toTimestamp(version.created_at),
    live,
    files: version.files,
    size: version.bytes,
    ...(version.reason === null ? {} : { reason: version.reason }),
    ...(version.live_at === null ? {} : { liveAt: toTimestamp(version.live_at) }),
    rollback: onService && !live && rollbackProblem(space, version) === null,
    leftBehind: version.left_behind === 1,
  };
}
