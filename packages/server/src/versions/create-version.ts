import { maxAchievements, maxBoards, maxStats } from '@spaceport/contract/declarations';
import {
  type createVersion as createOperation,
  maxFiles,
  type UploadEntry,
  type VersionLimits,
} from '@spaceport/contract/hosting';
import type { BodyOf } from '@spaceport/contract/operation';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { takeFromLimit } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import { requireFields } from '../spaces/space-fields.ts';
import {
  createHostedSpace,
  ownSpaceForHosting,
  requireOnService,
  type SpaceRow,
  takeVersionNumber,
} from '../spaces/spaces.ts';
import { checkTriggers, defaultEntry, readDeclarations } from './declarations.ts';
import {
  buildManifest,
  diffManifests,
  hashesOf,
  type Manifest,
  type ManifestDiff,
  totalBytes,
} from './manifest.ts';
import { findHad, insertVersion, readManifest, unmarkBlobs, type VersionRow } from './versions.queries.ts';

type CreateBody = BodyOf<typeof createOperation>;

/** Everything of a create that passed validation, before anything is written. */
interface CheckedCreate {
  readonly body: CreateBody;
  readonly declarations: VersionRow['declarations'];
  readonly manifest: Manifest;
  /** The space it is for; null for a new one. */
  readonly space: SpaceRow | null;
}

export interface CreatedVersion {
  readonly version: { id: string; number: number };
  readonly space: SpaceRow;
  readonly uploads: UploadEntry[];
  readonly limits: VersionLimits;
}

/** Creates a version of the caller's own or a new space: the first of the three calls of a publish. */
export async function createVersion(
  platform: Platform,
  caller: CreatorCaller,
  body: CreateBody,
): Promise<CreatedVersion> {
  const checked = await checkCreate(platform, caller, body);
  const { database, clock } = platform;
  const now = clock.now();
  const { space, version, lacking } = await database.transaction(async (tx) => {
    await countPublish(platform, tx, caller.creatorId, now);
    const space = checked.space ?? (await createHostedSpace(tx, caller, requireFields(body.fields), now));
    const number = await takeVersionNumber(tx, space.id);
    if (number === null) throw new ServiceError('not_found', `There is no space «${space.slug}».`);
    const version = newVersion(platform, caller.creatorId, space, number, checked, now);
    await insertVersion(tx, version, checked.manifest);
    const lacking = await lackingHashes(tx, caller.creatorId, hashesOf(checked.manifest));
    return { space, version, lacking };
  });
  return {
    version: { id: version.id, number: version.number },
    space,
    uploads: uploadEntries(platform, version.id, checked.manifest, lacking, version.links_expire_at),
    limits: limitsOf(platform),
  };
}

export interface DryRun {
  readonly dryRun: true;
  readonly missing: { files: number; bytes: number };
  readonly diff: ManifestDiff;
  readonly limits: VersionLimits;
}

/** The same checks and nothing kept: what would be sent, and what would change against the live version. */
export async function dryRunVersion(
  platform: Platform,
  caller: CreatorCaller,
  body: CreateBody,
): Promise<DryRun> {
  const { manifest, space } = await checkCreate(platform, caller, body);
  const { db } = platform.database;
  const had = new Set((await findHad(db, caller.creatorId, hashesOf(manifest))).map(({ hash }) => hash));
  const sizes = new Map(manifest.filter(([, hash]) => !had.has(hash)).map(([, hash, size]) => [hash, size]));
  const live = space?.live_version_id ? await readManifest(db, space.live_version_id) : [];
  return {
    dryRun: true,
    missing: { files: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) },
    diff: diffManifests(live, manifest),
    limits: limitsOf(platform),
  };
}

async function checkCreate(
  platform: Platform,
  caller: CreatorCaller,
  body: CreateBody,
): Promise<CheckedCreate> {
  requirePublisher(caller);
  const declarations = readDeclarations(body);
  checkTriggers(declarations, new Set());
  let space: SpaceRow | null = null;
  if (body.space === undefined) requireFields(body.fields);
  else {
    space = await ownSpaceForHosting(platform.database.db, body.space, caller);
    requireOnService(space);
  }
  const { MAX_FILE_BYTES, MAX_VERSION_BYTES } = platform.config;
  const limits = { maxFileBytes: MAX_FILE_BYTES, maxVersionBytes: MAX_VERSION_BYTES };
  const manifest = buildManifest(body.files, declarations.entry ?? defaultEntry, limits);
  return { body, declarations: JSON.stringify(declarations), manifest, space };
}

/** Throws `forbidden` or `no_handle` for an account that cannot publish. */
export function requirePublisher(caller: CreatorCaller): void {
  if (caller.banned) throw new ServiceError('forbidden', 'This account cannot publish.');
  if (caller.handle === null) throw new ServiceError('no_handle', 'Pick a handle before publishing.');
}

async function countPublish(platform: Platform, tx: Tx, creatorId: string, now: number): Promise<void> {
  const limit = { count: platform.config.PUBLISHES_PER_HOUR, seconds: 3600 };
  const answer = await takeFromLimit(tx, `publish:${creatorId}`, limit, now);
  if (answer.allowed) return;
  throw new ServiceError(
    'rate_limited',
    `More than ${limit.count} versions were created in an hour; try again later.`,
    {
      retryAfterSeconds: answer.retryAfterSeconds,
    },
  );
}

function newVersion(
  { config }: Platform,
  createdBy: string,
  space: SpaceRow,
  number: number,
  { body, declarations, manifest }: CheckedCreate,
  now: number,
): VersionRow {
  return {
    id: newId('ver'),
    space_id: space.id,
    number,
    status: 'uploading',
    stopped: 0,
    reason: null,
    fields: JSON.stringify(body.fields ?? {}),
    declarations,
    files: manifest.length,
    bytes: totalBytes(manifest),
    created_by: createdBy,
    created_at: now,
    links_expire_at: now + config.UPLOAD_LINK_SECONDS * 1000,
    finished_at: null,
    finished_as_preview: null,
    live_at: null,
    left_behind: 0,
    review_requested_at: null,
    review_decided_at: null,
    report: null,
  };
}

/**
 * Which of the hashes the principal has to upload. Pins the others: what the collector has marked is unmarked in
 * this transaction, and what it took meanwhile counts as lacking.
 */
async function lackingHashes(tx: Tx, principal: string, hashes: readonly string[]): Promise<Set<string>> {
  const had = await findHad(tx, principal, hashes);
  const lacking = new Set(hashes);
  for (const { hash, marked } of had) if (!marked) lacking.delete(hash);
  const marked = had.filter((blob) => blob.marked).map(({ hash }) => hash);
  if (marked.length > 0) for (const hash of await unmarkBlobs(tx, marked)) lacking.delete(hash);
  return lacking;
}

/** One signed link for each lacking file. */
export function uploadEntries(
  { links, urls }: Platform,
  versionId: string,
  manifest: Manifest,
  lacking: ReadonlySet<string>,
  expiresAt: number,
): UploadEntry[] {
  const sizes = new Map(manifest.map(([, hash, size]) => [hash, size]));
  const expiresAtSeconds = Math.floor(expiresAt / 1000);
  return [...lacking].map((hash) => {
    const size = sizes.get(hash) ?? 0;
    return { sha256: hash, url: urls.upload(links.uploadPath({ versionId, hash, size, expiresAtSeconds })) };
  });
}

export function limitsOf({ config }: Platform): VersionLimits {
  return {
    maxFiles,
    maxFileBytes: config.MAX_FILE_BYTES,
    maxVersionBytes: config.MAX_VERSION_BYTES,
    uploadLinkSeconds: config.UPLOAD_LINK_SECONDS,
    maxBoards,
    maxStats,
    maxAchievements,
  };
}
