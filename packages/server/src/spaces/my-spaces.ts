import type { MySpace } from '@spaceport/contract/listing';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Db } from '../platform/db/schema.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews, toOwnSpace } from './space-view.ts';

export interface MySpaceView extends SpaceView {
  /** Versions that wait for the safety check. */
  readonly waitingChecks: number;
}

/**
 * A page of the caller's spaces, newest first. It starts after a row and not at a number, so that spaces which are
 * added meanwhile move nothing. With `restorableSince`, an instant, those that were deleted since, and no others.
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
  const after = decodeCursor(cursor);
  let query = selectViews(db)
    .where('space.owner_id', '=', creatorId)
    .where(
      'space.deleted_at',
      restorableSince === undefined ? 'is' : '>',
      restorableSince === undefined ? null : restorableSince,
    )
    .orderBy('space.created_at', 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit + 1);
  if (onlySpace) query = query.where('space.id', '=', onlySpace.id);
  if (after)
    query = query.where((where) =>
      where.or([
        where('space.created_at', '<', after.value),
        where.and([where('space.created_at', '=', after.value), where('space.id', '<', after.id)]),
      ]),
    );
  const [views, waiting] = await Promise.all([query.execute(), countWaitingChecks(db, creatorId)]);
  const { page, next } = pageOf(views, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { page: page.map((view) => ({ ...view, waitingChecks: waiting.get(view.id) ?? 0 })), next };
}

/** By space: only a few of an account's versions may wait at a time. */
async function countWaitingChecks(db: Db, creatorId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('versions')
    .select(({ fn }) => ['space_id', fn.countAll<number>().as('waiting')])
    .where('created_by', '=', creatorId)
    .where('status', '=', 'checking')
    .where('stopped', '=', 0)
    .groupBy('space_id')
    .execute();
  return new Map(rows.map(({ space_id, waiting }) => [space_id, waiting]));
}

/** A space as it stands in its creator's list. */
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
