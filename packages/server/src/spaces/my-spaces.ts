import type { MySpace } from '@spaceport/contract/listing';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { toOwnSpace } from './space-view.ts';
import { countWaitingBySpace, findViewsOf, type SpaceView } from './views.queries.ts';

export interface MySpaceView extends SpaceView {
  /** The number of versions that wait for the safety check. */
  readonly waitingChecks: number;
}

/**
 * Returns a page of the caller's spaces, newest first. It starts after a row and not at a number, so
 * that new spaces do not shift it. With `restorableSince` (epoch milliseconds), returns only spaces that
 * were deleted since then.
 */
export async function mySpaces(
  { database: { db } }: Platform,
  { creatorId, onlySpace }: Pick<CreatorCaller, 'creatorId' | 'onlySpace'>,
  {
    cursor,
    limit,
    restorableSince,
  }: { cursor?: string | undefined; limit: number; restorableSince?: number },
): Promise<{ page: MySpaceView[]; next: string | null }> {
  const [views, waiting] = await Promise.all([
    findViewsOf(
      db,
      { ownerId: creatorId, only: onlySpace?.id, deletedSince: restorableSince ?? null },
      { after: decodeCursor(cursor), limit: limit + 1 },
    ),
    countWaitingBySpace(db, creatorId),
  ]);
  const { page, next } = pageOf(views, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { page: page.map((view) => ({ ...view, waitingChecks: waiting.get(view.id) ?? 0 })), next };
}

/** Returns a space as its creator's list shows it. */
export function toMySpace({ urls, config }: Pick<Platform, 'urls' | 'config'>, view: MySpaceView): MySpace {
  return {
    ...toOwnSpace(urls, view),
    plays: view.plays,
    waiting_checks: view.waitingChecks,
    ...(view.deleted_at === null
      ? {}
      : { restorable_until: toTimestamp(view.deleted_at + config.RESTORE_SECONDS * 1_000) }),
  };
}
