import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requestClip } from '../spaces/clips.ts';
import { coverMany } from '../spaces/cover-many.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { noSuchSpace, requireOwn } from '../spaces/own-space.ts';
import { type SpaceView, viewById } from '../spaces/space-view.ts';
import { type CoveredRow, findEvenDeleted, lockEvenDeleted, type SpaceRow } from '../spaces/spaces.ts';
import { cover } from '../spaces/states.ts';
import { stopWaitingChecks, stopWaitingChecksOf } from '../versions/left-behind.ts';

const deletedMeanwhile = 'The space was deleted before the check ended.';

/**
 * Takes a space of the caller offline, or brings it back online.
 * @throws `not_found`
 */
export async function setOffline(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  offline: boolean,
): Promise<SpaceView> {
  const { database } = platform;
  const id = await database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    if ((space.offline === 1) === offline) return space.id;
    await uncover(tx, space, await cover(tx, space, { offline: offline ? 1 : 0 }));
    return space.id;
  });
  return viewById(database.db, id);
}

/**
 * Deletes a space of the caller. Returns until when it can be restored.
 * @throws `not_found`
 */
export async function deleteOwnSpace(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<{ restorableUntil: number }> {
  const deletedAt = await platform.database.transaction(async (tx) =>
    markDeleted(tx, await lockOwnSpace(tx, slug, caller)),
  );
  return { restorableUntil: deletedAt + restoreMs(platform) };
}

/** Marks a space as deleted, which the caller has locked. Returns the instant in epoch milliseconds. */
async function markDeleted(tx: Tx, space: SpaceRow): Promise<number> {
  const deletedAt = tx.now;
  await cover(tx, space, { deleted_at: deletedAt });
  await stopWaitingChecks(tx, space.id, deletedMeanwhile);
  announceState(tx, space.slug);
  return deletedAt;
}

/** Marks those of an account's spaces as deleted that are not, all of which the caller has locked. */
export async function markAllDeleted(
  tx: Tx,
  ownerId: AccountId,
  spaces: readonly CoveredRow[],
): Promise<void> {
  const present = spaces.filter(({ deleted_at }) => deleted_at === null);
  if (present.length === 0) return;
  await coverMany(tx, ownerId, present, { deleted_at: tx.now });
  await stopWaitingChecksOf(tx, ownerId, deletedMeanwhile);
  for (const { slug } of present) announceState(tx, slug);
}

/**
 * Restores a space that the caller deleted. States that operators gave it stay.
 * @throws `not_found`, also after the time to restore it, and `conflict` if it is not deleted
 */
export async function restoreOwnSpace(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<SpaceView> {
  const { database } = platform;
  const id = await database.transaction(async (tx) => {
    const { id } = requireOwn(await findEvenDeleted(tx.db, slug), slug, caller);
    const space = requireOwn(await lockEvenDeleted(tx, id), slug, caller);
    if (space.deleted_at === null) throw new ServiceError('conflict', `The space «${slug}» is not deleted.`);
    if (space.deleted_at <= tx.now - restoreMs(platform)) throw noSuchSpace(slug);
    await uncover(tx, space, await cover(tx, space, { deleted_at: null }));
    return space.id;
  });
  return viewById(database.db, id);
}

/** Returns how long a deleted space can be restored, in milliseconds. */
export function restoreMs({ config }: Pick<Platform, 'config'>): number {
  return config.RESTORE_SECONDS * 1_000;
}

async function uncover(tx: Tx, before: SpaceRow, space: SpaceRow): Promise<void> {
  // No pictures were taken while the space was off the service.
  if (space.state === 'listed' && before.state !== 'listed') await requestClip(tx, space);
  announceState(tx, space.slug);
}

/** Makes every node look up the space again, and its previews, which have labels of their own. */
function announceState(tx: Tx, slug: string): void {
  tx.announce('space', slug);
  tx.announce('preview', '*');
}
