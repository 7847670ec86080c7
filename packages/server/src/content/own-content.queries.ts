import { sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import type { ContentId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import type { ContentRow, Place } from './content.queries.ts';

/** An item as the creator of its space sees it. */
export interface OwnItemHead
  extends Pick<ContentRow, 'id' | 'kind' | 'title' | 'bytes' | 'likes' | 'created_at'> {
  readonly handle: string | null;
  /** When its maker was banned from the service, and from this space, in epoch milliseconds; null if not. */
  readonly bannedAt: number | null;
  readonly outOfSpaceAt: number | null;
  /** The number of open reports about it. */
  readonly reports: number;
}

function selectOwnItems(db: Db, spaceId: SpaceId) {
  return db
    .selectFrom('content as item')
    .innerJoin('creators as maker', 'maker.id', 'item.player_id')
    .leftJoin('bans as ban', (join) =>
      join.onRef('ban.space_id', '=', 'item.space_id').onRef('ban.player_id', '=', 'item.player_id'),
    )
    .select(['item.id', 'item.kind', 'item.title', 'item.bytes', 'item.likes', 'item.created_at'])
    .select(['maker.handle', 'maker.banned_at as bannedAt', 'ban.banned_at as outOfSpaceAt'])
    .select(({ selectFrom }) =>
      selectFrom('reports as report')
        .select(sql<number>`count(*)`.as('open'))
        .whereRef('report.content_id', '=', 'item.id')
        .where('report.state', '=', 'open')
        .$asScalar()
        .as('reports'),
    )
    .where('item.space_id', '=', spaceId);
}

/** Returns items, live or in the sandbox, the newest first. */
export async function findOwnPage(
  db: Db,
  place: Place,
  {
    kind,
    reported,
    after,
    limit,
  }: { kind: string | undefined; reported: boolean; after: Cursor | null; limit: number },
): Promise<OwnItemHead[]> {
  let query = selectOwnItems(db, place.spaceId)
    .where('item.env', '=', place.env)
    .orderBy('item.created_at', 'desc')
    .orderBy('item.id', 'desc')
    .limit(limit);
  if (kind !== undefined) query = query.where('item.kind', '=', kind);
  // There are few open reports, so the items are looked up by them.
  if (reported)
    query = query.where('item.id', 'in', (where) =>
      where
        .selectFrom('reports')
        .select('content_id')
        .where('space_id', '=', place.spaceId)
        .where('state', '=', 'open')
        .where('content_id', 'is not', null)
        .$narrowType<{ content_id: ContentId }>(),
    );
  if (after) query = query.where(afterCursor('item.created_at', 'item.id', after));
  return query.execute();
}

export async function findOwnItem(db: Db, spaceId: SpaceId, id: ContentId): Promise<OwnItemHead | undefined> {
  return selectOwnItems(db, spaceId).where('item.id', '=', id).executeTakeFirst();
}
