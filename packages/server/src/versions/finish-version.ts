import type { finishVersion as finishOperation } from '@spaceport/contract/hosting';
import type { AnswerOf } from '@spaceport/contract/operation';
import { declareInSandbox, requireDeclarable } from '../declarations/version-declarations.ts';
import type { Platform } from '../platform/context.ts';
import type { Principal, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { countUse, type RateAnswer, readLimit } from '../platform/limits/rate-limit.ts';
import { lockSpace, requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import { declarationsOf } from './declarations.ts';
import { checkJob, packJob, previewCheckJob } from './job-kinds.ts';
import { hashesOf, type Manifest, requireStoredSizes } from './manifest.ts';
import { type OwnVersion, ownVersion, versionNotFound } from './own-version.ts';
import { addPreviewLink, previewAddresses } from './previews.ts';
import { publishAgain } from './publish-again.ts';
import type { Publisher } from './publisher.ts';
import { leftBehind } from './standing.ts';
import { requireNoneDown, takenDownPaths } from './taken-down.ts';
import { unlistedLabel } from './unlisted-label.ts';
import {
  changeVersion,
  countWaitingChecks,
  findHad,
  findManifest,
  findPreviewLink,
  findVersion,
  type VersionRow,
} from './versions.queries.ts';

export type FinishAnswer = AnswerOf<typeof finishOperation>;

const busyRetrySeconds = 15;

/**
 * Finishes a version, as a preview or for production. A second finish gets the answer of the first, even when
 * many come at once: one conditional update decides which is the first.
 */
export async function finishVersion(
  platform: Platform,
  publisher: Publisher,
  id: VersionId,
  { preview }: { preview: boolean },
): Promise<FinishAnswer> {
  const [{ version }, manifest] = await Promise.all([
    ownVersion(platform, id, publisher),
    findManifest(platform.database.db, id),
  ]);
  if (!preview) requireMayGoLive(publisher);
  if (version.status !== 'uploading') return firstAnswer(platform, version);
  publisher.requireMayPublish();
  if (!manifest) throw versionNotFound();
  await requireAllUploaded(platform, version, manifest);
  const finished = await platform.database.transaction(async (tx) => {
    // They are sent side by side and run in this order: all are read under the lock of the space.
    const [space, refusal, current, limits] = await Promise.all([
      lockSpace(tx, version.space_id),
      refusalOf(publisher.confirm(tx)),
      findVersion(tx.db, version.id),
      preview ? null : readCheckLimits(tx, version),
    ]);
    if (!space) throw versionNotFound();
    if (!preview) requireMayBeChecked(space, version);
    if (refusal) throw refusal;
    // This comes before the waiting versions are looked at, so that a repeated finish never has to wait for itself.
    if (current?.status !== 'uploading') return null;
    return limits === null
      ? finishAsPreview(tx, { version, space })
      : finishForProduction(tx, { version, space }, limits);
  });
  // Another finish was first: return its answer.
  if (!finished) {
    const now = await findVersion(platform.database.db, id);
    if (!now) throw versionNotFound();
    return firstAnswer(platform, now);
  }
  return firstAnswer(platform, finished);
}

/** Returns the error with which a rule refuses, to be thrown after others; null if it does not. */
async function refusalOf(rule: Promise<void>): Promise<ServiceError | null> {
  try {
    await rule;
    return null;
  } catch (error) {
    // A failure of the database decides at once whether the transaction runs again.
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** @throws `removed`, `held` or `not_hosted` */
function requireMayBeChecked(space: SpaceRow, version: VersionRow): void {
  requireUnfrozen(space);
  if (version.left_behind === 1) throw leftBehind('publish a new one');
}

/** @throws `sign_in_required` */
export function requireMayGoLive({ mayGoLive }: Pick<Publisher, 'mayGoLive'>): void {
  if (mayGoLive) return;
  const message = 'Publishing for production needs an account; sign in and claim the page.';
  throw new ServiceError('sign_in_required', message);
}

async function requireAllUploaded(
  { database }: Platform,
  version: VersionRow,
  manifest: Manifest,
): Promise<void> {
  const [had, down] = await Promise.all([
    findHad(database.db, version.created_by, hashesOf(manifest)),
    takenDownPaths(database.db, manifest),
  ]);
  requireStoredSizes(manifest, had);
  requireNoneDown(down);
  const missing = pathsWithout(manifest, had);
  if (missing.length === 0) return;
  const [first, ...others] = missing;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new ServiceError('missing_uploads', `«${first}» was not uploaded yet${more}.`, { paths: missing });
}

/** Returns the paths whose bytes are not uploaded yet, in the order of the manifest. */
export async function missingPaths(
  db: Parameters<typeof findHad>[0],
  version: VersionRow,
  manifest: Manifest,
): Promise<string[]> {
  return pathsWithout(manifest, await findHad(db, version.created_by, hashesOf(manifest)));
}

function pathsWithout(manifest: Manifest, had: readonly { hash: string }[]): string[] {
  const hashes = new Set(had.map(({ hash }) => hash));
  return manifest.filter(([, hash]) => !hashes.has(hash)).map(([path]) => path);
}

async function finishAsPreview(tx: Tx, { version, space }: OwnVersion): Promise<VersionRow | null> {
  const change = { status: 'preview', finished_at: tx.now, finished_as_preview: 1 } as const;
  if (!(await changeVersion(tx, version.id, 'uploading', change))) return null;
  await declareInSandbox(tx, space.id, declarationsOf(version));
  await addPreviewLink(tx, version.id);
  await tx.enqueue(previewCheckJob, version.id);
  await tx.enqueue(packJob, version.id);
  tx.announce('version', version.id);
  // An unlisted page shows its newest version.
  if (space.state === 'unlisted') tx.announce('preview', unlistedLabel(space.slug));
  return { ...version, ...change };
}

async function finishForProduction(
  tx: Tx,
  { version, space }: OwnVersion,
  limits: CheckLimits,
): Promise<VersionRow | null> {
  // The declarations are checked again: the space may have declared more since the create.
  await requireDeclarable(tx.db, space.id, declarationsOf(version));
  requireFreeCheck(tx, limits);
  const stopReason = whyStopped(tx, space, limits);
  const change = {
    status: 'checking',
    finished_at: tx.now,
    finished_as_preview: 0,
    stopped: stopReason === null ? 0 : 1,
    reason: stopReason,
  } as const;
  const [isFirst] = await Promise.all([
    changeVersion(tx, version.id, 'uploading', change),
    // The version is compressed after its check lets it pass.
    ...(stopReason === null ? [countUse(tx, checksOf(space.id)), tx.enqueue(checkJob, version.id)] : []),
  ]);
  if (!isFirst) throw new Error('A version was finished without the lock of its space.');
  tx.announce('version', version.id);
  return { ...version, ...change };
}

/** What the limits of safety checks say when a version is finished. */
interface CheckLimits {
  /** How many versions of the account wait for their check. */
  readonly waiting: number;
  /** Whether the space has a check left in this hour. */
  readonly hourly: RateAnswer;
}

/** Returns the bucket of a space's checks. It is used only under the lock of the space. */
const checksOf = (spaceId: SpaceId) => `checks:${spaceId}`;

/** Reads the limits, and keeps other versions of the account from being counted until the transaction ends. */
async function readCheckLimits(
  tx: Tx,
  { space_id, created_by }: Pick<VersionRow, 'space_id' | 'created_by'>,
): Promise<CheckLimits> {
  const limit = { count: tx.config.CHECKS_PER_HOUR, seconds: 3600 };
  const [hourly, , waiting] = await Promise.all([
    readLimit(tx, checksOf(space_id), limit),
    tx.lock(`checks:${created_by}`),
    countWaitingChecks(tx, created_by),
  ]);
  return { hourly, waiting };
}

/**
 * Refuses a publish for production before it has sent anything, if its finish would be refused now.
 * @throws `checks_busy`
 */
export async function requireNotBusy(tx: Tx, principal: Principal): Promise<void> {
  requireFreeCheck(tx, { waiting: await countWaitingChecks(tx, principal) });
}

/** @throws `checks_busy` */
function requireFreeCheck({ config }: Tx, { waiting }: Pick<CheckLimits, 'waiting'>): void {
  if (waiting < config.WAITING_CHECKS) return;
  throw new ServiceError(
    'checks_busy',
    `${waiting} of your versions wait for the safety check; try again when it has judged one.`,
    {
      retryAfterSeconds: busyRetrySeconds,
    },
  );
}

/** Returns why the check of this version ends before it begins, or null if it is to be queued. */
function whyStopped({ config }: Tx, space: SpaceRow, { hourly }: CheckLimits): string | null {
  if (space.state === 'hidden') return 'The space is hidden; it is not checked until it is shown again.';
  if (hourly.allowed) return null;
  const minutes = Math.ceil(hourly.retryAfterSeconds / 60);
  return `The space has used its ${config.CHECKS_PER_HOUR} safety checks of this hour; publish again in ${minutes} minutes.`;
}

/**
 * Returns the answer to the first finish and to every later one, whatever those ask for. The answer for a
 * preview says each time how to go live.
 */
async function firstAnswer({ database, urls }: Platform, version: VersionRow): Promise<FinishAnswer> {
  const watchUrl = urls.watch(version.id);
  if (version.finished_as_preview === 0) return { status: 'checking', watchUrl };
  const link = await findPreviewLink(database.db, version.id, 'first');
  return {
    status: 'preview',
    ...(link ? previewAddresses(urls, link.label) : {}),
    watchUrl,
    next: `This version stays a preview. To go live: ${publishAgain(urls.app)}`,
  };
}
