import type { SpaceFieldsPatch } from '@spaceport/contract/spaces';
import { declarationsRule, declareByVersion } from '../declarations/version-declarations.ts';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requestClip } from '../spaces/clips.ts';
import { toColumns } from '../spaces/space-fields.ts';
import {
  lockSpace,
  ownSpaceForHosting,
  pointSpaceAt,
  requireOnService,
  type SpaceRow,
} from '../spaces/spaces.ts';
import { declarationsOf } from './declarations.ts';
import { hashesOf } from './manifest.ts';
import { publishAgain } from './publish-again.ts';
import {
  findVersion,
  findVersionByNumber,
  makeBlobsPublic,
  readManifest,
  readReport,
  type VersionRow,
  writeReport,
} from './versions.queries.ts';

/**
 * Makes a version that passed what is served, with the listing fields and declarations that came with it. Where a newer version went
 * live meanwhile that one stays: the later publish wins, whatever order the checks end in. The caller has locked the
 * space and set the version's status in the same transaction.
 */
export async function goLive(tx: Tx, space: SpaceRow, version: VersionRow): Promise<void> {
  await makeBlobsPublic(tx, hashesOf(await readManifest(tx.db, version.id)).sort());
  const current = space.live_version_id ? await findVersion(tx.db, space.live_version_id) : undefined;
  if (!current || space.hosted === 0 || current.number < version.number) {
    const fields = toColumns(JSON.parse(version.fields) as SpaceFieldsPatch);
    await pointSpaceAt(tx, space.id, version.id, fields, tx.now);
    await declareWith(tx, version);
    await requestClip(tx, space);
  }
  tx.announce('space', space.slug);
  tx.announce('version', version.id);
}

/** What a version declares takes effect with it; what the space has no room for any more is in the version's report. */
async function declareWith(tx: Tx, version: VersionRow): Promise<void> {
  const finding = await declareByVersion(tx, version.space_id, declarationsOf(version));
  const { findings: known, ...rest } = await readReport(tx, version.id);
  const others = known.filter(({ rule }) => rule !== declarationsRule);
  if (finding === null && others.length === known.length) return;
  await writeReport(tx, version.id, { ...rest, findings: finding ? [...others, finding] : others });
  tx.announce('version', version.id);
}

/** May the rollback endpoint take this version? The reason why not, or null. */
export function rollbackProblem(
  space: Pick<SpaceRow, 'hosted'>,
  version: Pick<VersionRow, 'live_at' | 'left_behind' | 'number'>,
): string | null {
  if (space.hosted === 0) return 'The space is at a live URL of its own; there is nothing to roll back.';
  if (version.left_behind === 1)
    return `Version ${version.number} was made before the space moved to a live URL.`;
  if (version.live_at === null) return `Version ${version.number} was never live.`;
  return null;
}

/**
 * Puts an earlier live version live again: one pointer swap, and what it declares is in effect again. Throws `not_allowed`, `not_found`, `held`, `removed`.
 */
export async function rollback(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  number: number,
): Promise<SpaceRow> {
  const { database } = platform;
  const own = await ownSpaceForHosting(database.db, slug, caller);
  await database.transaction(async (tx) => {
    const space = await lockSpace(tx, own.id);
    if (!space) throw new ServiceError('not_found', `There is no space «${slug}».`);
    requireOnService(space);
    const version = await findVersionByNumber(tx.db, space.id, number);
    if (!version || version.status === 'uploading') {
      throw new ServiceError('not_found', `There is no version ${number} of «${slug}».`);
    }
    const problem = rollbackProblem(space, version);
    if (problem)
      throw new ServiceError('not_allowed', problem, {
        next: (app) => `To make it live: ${publishAgain(app)}`,
      });
    if (space.live_version_id === version.id) return;
    await pointSpaceAt(tx, space.id, version.id, {}, tx.now);
    await declareWith(tx, version);
    await requestClip(tx, space);
    tx.announce('space', space.slug);
  });
  return own;
}
