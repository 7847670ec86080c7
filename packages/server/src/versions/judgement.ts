import type { CheckReport } from '@spaceport/contract/versions';
import type { Platform } from '../platform/context.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { FirstFile } from '../serving/first-files.ts';
import type { Site } from '../serving/site.ts';
import { findSpaceById, findSpaceOfVersion, type SpaceRow } from '../spaces/spaces.ts';
import { tellWebhooks } from '../webhooks/tell.ts';
import { declarationsOf, defaultEntry } from './declarations.ts';
import { goLive, readForLive } from './live.ts';
import { loadById } from './load-site.ts';
import { lockVersionById, type OwnVersion } from './own-version.ts';
import { insertVersionPaths } from './paths/version-paths.queries.ts';
import { announceWhereShown } from './previews.ts';
import { whyEnded } from './standing.ts';
import type { StoredFile } from './stored-files.ts';
import { changeVersion, findVersion, type VersionRow } from './versions.queries.ts';

/** What the safety check reads of a version. */
export interface VersionUnderCheck {
  readonly id: VersionId;
  readonly spaceId: SpaceId;
  readonly slug: string;
  readonly entry: string;
  readonly files: readonly StoredFile[];
  /** The version as it will be served. */
  readonly site: Site;
  /** The page waits for a click before it starts the game. */
  readonly startsByClick: boolean;
  /** The creator allows an address with the number of the version in it. */
  readonly takesPaths: boolean;
}

/** Returns the version if it still has the status that is to be checked, else null. */
export async function versionUnderCheck(
  { database: { db } }: Platform,
  id: VersionId,
  status: 'checking' | 'preview',
): Promise<VersionUnderCheck | null> {
  const [loaded, space] = await Promise.all([loadById(db, id), findSpaceOfVersion(db, id)]);
  if (!loaded || !space) return null;
  const { version, site, stored } = loaded;
  if (version.status !== status || version.stopped === 1) return null;
  // A preview is checked only once.
  if (status === 'preview' && version.report !== null) return null;
  const { entry = defaultEntry, start, version_paths: takesPaths = true } = declarationsOf(version);
  return {
    id,
    spaceId: space.id,
    slug: space.slug,
    entry,
    files: stored,
    site,
    startsByClick: start === 'click',
    takesPaths,
  };
}

export interface Judgement {
  readonly verdict: 'pass' | 'refused' | 'unjudged';
  readonly reason?: string;
  readonly report: CheckReport;
  /** The version works at an address with its number in it. */
  readonly fitsPaths?: boolean;
  /** The files that the page requested first; absent if the page was not opened. */
  readonly firstFiles?: readonly FirstFile[];
}

/**
 * Writes a verdict in the caller's transaction, with the pointer swap if the version passed. A version that
 * no longer waits for a verdict stays as it is. If the space left the service in the meantime, the check ends
 * without a verdict.
 * @param locked the space and the version, if the caller has locked the space before it read the version
 */
export async function recordJudgement(
  tx: Tx,
  versionId: VersionId,
  judgement: Judgement,
  locked?: OwnVersion,
): Promise<void> {
  const found = locked ?? (await lockVersionById(tx, versionId));
  if (!found) return;
  const { space, version } = found;
  const ended = whyEnded(space, version);
  const change = ended === null ? verdictOf(judgement, tx.now) : ({ stopped: 1, reason: ended } as const);
  const report = toJson(judgement.report);
  const [isChanged, before] = await Promise.all([
    changeVersion(tx, versionId, 'checking', { ...change, report }),
    'status' in change && change.status === 'live' ? readForLive(tx, space, versionId) : null,
    judgement.fitsPaths ? insertVersionPaths(tx, versionId, judgement.firstFiles ?? []) : null,
  ]);
  if (isChanged && 'status' in change) {
    const judged = { ...version, ...change, report };
    await (before ? goLive(tx, space, judged, before) : tellRefused(tx, space, judged));
  }
  tx.announce('version', versionId);
}

/** What becomes of a version that nothing ended before. */
function verdictOf({ verdict, reason }: Judgement, now: number) {
  if (verdict === 'pass') return { status: 'live', live_at: now, reason: null } as const;
  return { status: verdict, reason: reason ?? null };
}

/**
 * Writes the findings of a preview's check in the caller's transaction. The version stays a preview unless a
 * rule names harm: then it is refused, and no link shows it any more.
 */
export async function recordPreviewJudgement(
  tx: Tx,
  versionId: VersionId,
  judgement: Judgement,
): Promise<void> {
  const version = await findVersion(tx.db, versionId);
  if (!version) return;
  const report = toJson(judgement.report);
  if (judgement.verdict === 'refused') {
    const change = { status: 'refused', reason: judgement.reason ?? null, report } as const;
    if (!(await changeVersion(tx, versionId, 'preview', change))) return;
    await announceWhereShown(tx, version);
    const space = await findSpaceById(tx.db, version.space_id);
    if (space) await tellRefused(tx, space, { ...version, ...change });
  } else if (await changeVersion(tx, versionId, 'preview', { report })) {
    tx.announce('version', versionId);
  }
}

/** Tells webhooks that a version does not go live, or is no longer shown as a preview. */
async function tellRefused(
  tx: Tx,
  space: SpaceRow,
  { id, number, status, reason, finished_as_preview }: VersionRow,
): Promise<void> {
  const version = { id, number, status, preview: finished_as_preview === 1 };
  await tellWebhooks(tx, space, 'version.refused', { version, reason });
}
