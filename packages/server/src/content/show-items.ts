import { type ContentItem, maxContentPageBytes } from '@spaceport/contract/content';
import { toTimestamp } from '../platform/clock/clock.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { accountOf } from './account-of.ts';
import { findData, type ItemHead } from './content.queries.ts';

/** Returns how many of the first rows fit into a page, at least one. */
export function fitting<Row extends Pick<ItemHead, 'bytes'>>(rows: readonly Row[], limit: number): number {
  let bytes = 0;
  const over = rows.slice(0, limit).findIndex((row, index) => {
    bytes += row.bytes;
    return index > 0 && bytes > maxContentPageBytes;
  });
  return over === -1 ? limit : over;
}

/**
 * Returns the items with their content, as a player reads them. Items that were deleted in
 * the meantime are left out.
 */
export async function toItems(db: Db, heads: readonly ItemHead[], who: PlayCaller): Promise<ContentItem[]> {
  const data = await findData(
    db,
    heads.map(({ id }) => id),
  );
  return heads.flatMap((head) => {
    const json = data.get(head.id);
    if (json === undefined) return [];
    const { id, kind, title, likes, created_at, likedAt, playerId } = head;
    return {
      id,
      kind,
      title,
      likes,
      // Only accounts with a handle publish, and handles never change.
      handle: head.handle ?? '',
      created_at: toTimestamp(created_at),
      data: fromJson(json),
      liked: likedAt !== null,
      yours: accountOf(who)?.playerId === playerId,
    };
  });
}

export function noItem(): ServiceError {
  return new ServiceError('not_found', 'This does not exist here: it may have been removed.');
}
