import { declarationsRule, declareByVersion } from '../declarations/version-declarations.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requestClip } from '../spaces/clips.ts';
import { noSpace } from '../spaces/own-space.ts';
import { toColumns } from '../spaces/space-fields.ts';
import {
  lockSpace,
  ownSpaceForHosting,
  pointSpaceAt,
  requireUnfrozen,
  type SpaceRow,
} from '../spaces/spaces.ts';
import { tellWebhooks } from '../webhooks/tell.ts';
import { declarationsOf } from './declarations.ts';
import { packJob } from './job-kinds.ts';
import { hashesOf, type Manifest } from './manifest.ts';
import { takeLive } from './paths/go-live.ts';
import { publishAgain } from './publish-again.ts';
import { isSuperseded, rollbackProblem } from './standing.ts';
import { lostFilesMessage, lostFilesOf } from './stored-files.ts';
import { takenDownMessage, takenDownPaths } from './taken-down.ts';
import {
  findLiveVersion,
  findVersionByNumber,
  makeBlobsPublic,
  readManifest,
  reportOf,
  type VersionRow,
  writeReport,
} from './versions.queries.ts';

/** What `goLive` has to know. */
export interface BeforeLive {
  readonly manifest: Manifest;
  /** The version that is served until then. */
  readonly live: VersionRow | null;
}

/** Reads what `goLive` has to know. The caller has locked the space. */
export async function readForLive(tx: Tx, space: SpaceRow, versionId: VersionId): Promise<BeforeLive> {
  const [manifest, live] = await Promise.all([readManifest(tx.db, versionId), findLiveVersion(tx.db, space)]);
  return { manifest, live };
}

/**
 * Makes a version live that passed, with the listing fields and declarations that came with it. If a newer
 * version went live in the meantime, it stays live: the later publish wins, in whatever order the checks end.
 * The caller has locked the space and has set the version's status in the same transaction.
 */
export async function goLive(
  tx: Tx,
  space: SpaceRow,
  version: VersionRow,
  { manifest, live }: BeforeLive,
): Promise<void> {
  const fields = toColumns(fromJson(version.fields));
  // None of these needs the result of another.
  await Promise.all([
    makeBlobsPublic(tx, hashesOf(manifest).sort()),
    ...(isSuperseded(space, version, live)
      ? []
      : [
          pointSpaceAt(tx, space, version.id, fields),
          takeLive(tx, space, version, manifest),
          declareWith(tx, version),
          requestClip(tx, space),
          tellLive(tx, { ...space, title: fields.title ?? space.title }, version, false),
        ]),
    // Deltas are made here, not earlier: only now browsers may use them.
    tx.enqueue(packJob, version.id),
  ]);
  tx.announce('space', space.slug);
  tx.announce('version', version.id);
}

async function tellLive(
  tx: Tx,
  space: SpaceRow,
  { id, number }: VersionRow,
  rollback: boolean,
): Promise<void> {
  await tellWebhooks(tx, space, 'version.live', { version: { id, number }, rollback });
}

/**
 * Puts the declarations of a version into effect. Declarations that the space has no room for are named in
 * the version's report.
 */
async function declareWith(tx: Tx, version: VersionRow): Promise<void> {
  const finding = await declareByVersion(tx, version.space_id, declarationsOf(version));
  const { findings: known, ...rest } = reportOf(version);
  const others = known.filter(({ rule }) => rule !== declarationsRule);
  if (finding === null && others.length === known.length) return;
  await writeReport(tx, version.id, { ...rest, findings: finding ? [...others, finding] : others });
  tx.announce('version', version.id);
}

/**
 * Makes an earlier live version live again, with one pointer swap. Its declarations take effect again.
 * @throws `not_allowed`, also if the service has lost one of its files, `not_found`, `held`, `removed`
 */
export async function rollback(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  number: number,
): Promise<SpaceRow> {
  const { database } = platform;
  const own = await ownSpaceForHosting(database.db, slug, caller);
  await requireFiles(platform, own, number);
  await database.transaction(async (tx) => {
    const space = await lockSpace(tx, own.id);
    if (!space) throw noSpace(slug);
    requireUnfrozen(space);
    const version = await findVersionByNumber(tx.db, space.id, number);
    if (!version || version.status === 'uploading') {
      throw new ServiceError('not_found', `There is no version ${number} of «${slug}».`);
    }
    const problem = rollbackProblem(space, version);
    if (problem) throw notAllowed(problem);
    if (space.live_version_id === version.id) return;
    await pointSpaceAt(tx, space, version.id, {});
    await takeLive(tx, space, version, null);
    await declareWith(tx, version);
    await requestClip(tx, space);
    await tellLive(tx, space, version, true);
    tx.announce('space', space.slug);
  });
  return own;
}

/**
 * Checks that every file is stored with its size. It asks the store, so it runs before the swap and outside
 * its transaction.
 * @throws `not_allowed`
 */
async function requireFiles(platform: Platform, space: SpaceRow, number: number): Promise<void> {
  const { db } = platform.database;
  const version = await findVersionByNumber(db, space.id, number);
  // In these cases the transaction refuses the rollback or has nothing to do.
  if (!version || rollbackProblem(space, version) !== null || space.live_version_id === version.id) return;
  const down = await takenDownPaths(db, await readManifest(db, version.id));
  if (down.length > 0) throw notAllowed(takenDownMessage(down));
  const lost = await lostFilesOf(platform, version.id);
  if (lost.length > 0) throw notAllowed(lostFilesMessage(lost));
}

function notAllowed(problem: string): ServiceError {
  return new ServiceError('not_allowed', problem, {
    next: (app) => `To make it live: ${publishAgain(app)}`,
  });
}
