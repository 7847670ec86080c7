import { maxAchievements, maxBoards, maxStats } from '@spaceport/contract/declarations';
import type { createVersion as createOperation } from '@spaceport/contract/hosting';
import type { BodyOf } from '@spaceport/contract/operation';
import {
  maxFiles,
  type UploadBatch,
  type UploadEntry,
  type VersionLimits,
} from '@spaceport/contract/versions';
import { requireDeclarable } from '../declarations/version-declarations.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type Principal, type VersionId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import { noSpace } from '../spaces/own-space.ts';
import { requireFields } from '../spaces/space-fields.ts';
import { type SpaceRow, takeVersionNumber } from '../spaces/spaces.ts';
import { type CreateKey, type KeyedCreate, type TokenSource, takeKey } from './create-keys.ts';
import { defaultEntry, readDeclarations, takenPaths } from './declarations.ts';
import {
  buildManifest,
  diffManifests,
  hashesOf,
  type Manifest,
  type ManifestDiff,
  requireStoredSizes,
  totalBytes,
} from './manifest.ts';
import type { OpenedSpace, Publisher } from './publisher.ts';
import { makeSureOfRoom, requireRoom } from './quota.ts';
import { findNewestPreview } from './sites.queries.ts';
import { requireNoneTakenDown } from './taken-down.ts';
import { uploadBatch, uploadEntries } from './upload-links.ts';
import { extendLinks } from './uploads.queries.ts';
import { findHad, findManifest, insertVersion, unmarkBlobs, type VersionRow } from './versions.queries.ts';

type CreateBody = BodyOf<typeof createOperation>;

/** Stands for a publisher without a principal: a claim that has uploaded nothing. */
const nobody = givenId('clm', '');

/** A create that passed validation, before anything is written. */
interface CheckedCreate {
  readonly body: CreateBody;
  readonly declarations: VersionRow['declarations'];
  readonly manifest: Manifest;
  /** The space to publish to; null for a new one. */
  readonly space: SpaceRow | null;
}

export interface CreatedVersion {
  readonly version: { id: VersionId; number: number };
  readonly space: SpaceRow;
  readonly claim?: NonNullable<OpenedSpace['claim']>;
  readonly uploads: UploadEntry[];
  readonly batch: UploadBatch;
  readonly limits: VersionLimits;
  /** Whether an earlier create with the same key has made the version. */
  readonly isRepeat: boolean;
}

/**
 * Creates a version of one of the publisher's spaces, or of a new space. This is the first of the three calls
 * of a publish.
 * @throws `conflict` if the key was used with another request
 */
export async function createVersion(
  platform: Platform,
  publisher: Publisher,
  body: CreateBody,
  key: CreateKey | null,
): Promise<CreatedVersion> {
  const checked = await checkCreate(platform, publisher, body);
  const { opened, version, lacking, isRepeat } = await platform.database.transaction(async (tx) => {
    const keyed = key && (await takeKey(tx, publisher, key));
    const making = { publisher, checked, tokenSource: keyed?.tokenSource ?? null };
    if (keyed?.made) return { ...(await findMade(tx, making, keyed.made)), isRepeat: true };
    const made = await makeVersion(tx, making);
    await keyed?.keep(made.version.id);
    return { ...made, isRepeat: false };
  });
  return {
    version: { id: version.id, number: version.number },
    space: opened.space,
    ...(opened.claim && { claim: opened.claim }),
    uploads: uploadEntries(platform, version.id, checked.manifest, lacking, version.links_expire_at),
    batch: uploadBatch(platform),
    limits: limitsOf(platform, publisher),
    isRepeat,
  };
}

interface Making {
  readonly publisher: Publisher;
  readonly checked: CheckedCreate;
  readonly tokenSource: TokenSource | null;
}

interface Made {
  readonly opened: OpenedSpace;
  readonly version: VersionRow;
  /** The hashes of the files to upload. */
  readonly lacking: ReadonlySet<string>;
}

async function makeVersion(tx: Tx, { publisher, checked, tokenSource }: Making): Promise<Made> {
  await countPublish(tx, publisher);
  const opened = await publisher.openSpace(tx, checked.space, checked.body.fields, tokenSource);
  const { space, principal } = opened;
  const number = await takeVersionNumber(tx, space.id);
  if (number === null) throw noSpace(space.slug);
  await publisher.confirm(tx);
  const version = newVersion(tx, opened, number, checked);
  await insertVersion(tx, version, checked.manifest);
  const lacking = await lackingHashes(tx, principal, checked.manifest);
  if (publisher.quota) await makeSureOfRoom(tx, publisher.quota, bytesOf(checked.manifest, lacking));
  return { opened, version, lacking };
}

/**
 * Finds what the first create with the key has made, which has the same files. It counts as no publish. The links of
 * the first answer may have ended, so there are new ones.
 */
async function findMade(
  tx: Tx,
  { publisher, checked, tokenSource }: Making,
  { version, space }: NonNullable<KeyedCreate['made']>,
): Promise<Made> {
  const opened = await publisher.openSpace(tx, space, checked.body.fields, tokenSource);
  await publisher.confirm(tx);
  if (version.status !== 'uploading') return { opened, version, lacking: new Set() };
  const links_expire_at = tx.now + tx.config.UPLOAD_LINK_SECONDS * 1000;
  await extendLinks(tx.db, version.id, links_expire_at);
  const lacking = await lackingHashes(tx, opened.principal, checked.manifest);
  return { opened, version: { ...version, links_expire_at }, lacking };
}

export interface DryRun {
  readonly dryRun: true;
  readonly missing: { files: number; bytes: number };
  readonly diff: ManifestDiff;
  readonly limits: VersionLimits;
}

/**
 * Runs the same checks as `createVersion` and stores nothing. Returns the files that would be uploaded, and
 * the differences from the version that is shown now.
 */
export async function dryRunVersion(
  platform: Platform,
  publisher: Publisher,
  body: CreateBody,
): Promise<DryRun> {
  const { manifest, space } = await checkCreate(platform, publisher, body);
  const { db } = platform.database;
  const found = await findHad(db, publisher.principal ?? nobody, hashesOf(manifest));
  requireStoredSizes(manifest, found);
  const had = new Set(found.map(({ hash }) => hash));
  const sizes = new Map(manifest.filter(([, hash]) => !had.has(hash)).map(([, hash, size]) => [hash, size]));
  const missingBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (publisher.quota) await requireRoom(db, publisher.quota, missingBytes);
  const shown =
    space?.state === 'unlisted' ? (await findNewestPreview(db, space.id))?.id : space?.live_version_id;
  const live = shown ? ((await findManifest(db, shown)) ?? []) : [];
  return {
    dryRun: true,
    missing: { files: sizes.size, bytes: missingBytes },
    diff: diffManifests(live, manifest),
    limits: limitsOf(platform, publisher),
  };
}

async function checkCreate(
  { database: { db } }: Platform,
  publisher: Publisher,
  body: CreateBody,
): Promise<CheckedCreate> {
  publisher.requireMayPublish();
  const declarations = readDeclarations(body);
  const space = await publisher.findSpace(body.space);
  if (space === null) requireFields(body.fields);
  await requireDeclarable(db, space?.id ?? null, declarations);
  const manifest = buildManifest(
    body.files,
    declarations.entry ?? defaultEntry,
    publisher,
    takenPaths(declarations),
  );
  await requireNoneTakenDown(db, manifest);
  return { body, declarations: toJson(declarations), manifest, space };
}

async function countPublish(tx: Tx, { rate, moreBy }: Publisher): Promise<void> {
  const sentence = `More than ${rate.limit.count} versions were created in an hour; try again later.`;
  await requireWithin(tx, rate.bucket, rate.limit, sentence, moreBy ? { next: moreBy } : {});
}

function newVersion(
  { config, now }: Tx,
  { space, principal }: OpenedSpace,
  number: number,
  { body, declarations, manifest }: CheckedCreate,
): VersionRow {
  return {
    id: newId('ver'),
    space_id: space.id,
    number,
    status: 'uploading',
    stopped: 0,
    reason: null,
    fields: toJson(body.fields ?? {}),
    declarations,
    files: manifest.length,
    bytes: totalBytes(manifest),
    created_by: principal,
    created_at: now,
    links_expire_at: now + config.UPLOAD_LINK_SECONDS * 1000,
    finished_at: null,
    finished_as_preview: null,
    live_at: null,
    left_behind: 0,
    review_requested_at: null,
    review_decided_at: null,
    review_outcome: null,
    report: null,
  };
}

/**
 * Finds the files that the principal has to upload, and pins the others by taking the collector's marks off
 * them in this transaction. Files that the collector deleted in the meantime have to be uploaded too.
 * @returns the hashes to upload
 * @throws `invalid_files` for a wrong size
 */
async function lackingHashes(tx: Tx, principal: Principal, manifest: Manifest): Promise<Set<string>> {
  const hashes = hashesOf(manifest);
  const had = await findHad(tx.db, principal, hashes);
  requireStoredSizes(manifest, had);
  const lacking = new Set(hashes);
  for (const { hash, marked } of had) if (!marked) lacking.delete(hash);
  const marked = had.filter((blob) => blob.marked).map(({ hash }) => hash);
  if (marked.length > 0) for (const hash of await unmarkBlobs(tx, marked)) lacking.delete(hash);
  return lacking;
}

/** Returns the total size of these hashes in bytes. Each file counts once, however many paths it has. */
function bytesOf(manifest: Manifest, hashes: ReadonlySet<string>): number {
  const sizes = new Map(
    manifest.filter(([, hash]) => hashes.has(hash)).map(([, hash, size]) => [hash, size]),
  );
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function limitsOf({ config }: Platform, { limits }: Publisher): VersionLimits {
  return {
    maxFiles,
    ...limits,
    uploadLinkSeconds: config.UPLOAD_LINK_SECONDS,
    maxBoards,
    maxStats,
    maxAchievements,
  };
}
