import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews } from './space-view.ts';

/**
 * A page of the caller's spaces, newest first. It starts after a row and not at a number, so that spaces which are
 * added meanwhile move nothing.
 */
export async function mySpaces(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ page: SpaceView[]; next: string | null }> {
  const after = decodeCursor(cursor);
  let query = selectViews(db)
    .where('space.owner_id', '=', caller.creatorId)
    .orderBy('space.created_at', 'desc')
    .orderBy('space.id', 'desc')
    .limit(limit + 1);
  if (after)
    query = query.where((where) =>
      where.or([
        where('space.created_at', '<', after.value),
        where.and([where('space.created_at', '=', after.value), where('space.id', '<', after.id)]),
      ]),
    );
  return pageOf(await query.execute(), limit, ({ created_at, id }) => ({ value: created_at, id }));
}
