import type { Selectable } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { oneOf } from '../platform/db/dialect.ts';
import { type AccountId, type ContentId, givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Json } from '../platform/db/json.ts';
import type { ContentTable, Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Cursor } from '../platform/http/cursor.ts';

/** The place of content: a space, live or in its sandbox. */
export interface Place {
  readonly spaceId: SpaceId;
  readonly env: Env;
}

export type ContentRow = Selectable<ContentTable>;

/** An item without its content. */
export interface ItemHead
  extends Pick<ContentRow, 'id' | 'kind' | 'title' | 'bytes' | 'likes' | 'created_at'> {
  readonly playerId: AccountId;
  readonly handle: string | null;
  /** When the viewer liked it, in epoch milliseconds; null if they have not, or are unknown. */
  readonly likedAt: number | null;
}

/** A list of one kind: what everyone sees, or only the viewer's own items. */
export interface Listed extends Place {
  readonly kind: string;
  readonly sort: 'new' | 'liked';
  readonly viewer: AccountId | null;
  readonly mine: boolean;
  readonly after: Cursor | null;
  readonly limit: number;
}

/** Stands for a viewer without an account, who has no likes and no items. */
const nobody = givenId('usr', '');

function selectItems(db: Db, { spaceId, env }: Place, viewer: AccountId | null) {
  return db
    .selectFrom('content as item')
    .innerJoin('creators as maker', 'maker.id', 'item.player_id')
    .leftJoin('content_likes as own', (join) =>
      join.onRef('own.content_id', '=', 'item.id').on('own.player_id', '=', viewer ?? nobody),
    )
    .select(['item.id', 'item.kind', 'item.title', 'item.bytes', 'item.likes', 'item.created_at'])
    .select(['item.player_id as playerId', 'maker.handle', 'own.at as likedAt'])
    .where('item.space_id', '=', spaceId)
    .where('item.env', '=', env);
}

/** Selects items without those whose makers are banned from the space or from the service. */
function shownItems(db: Db, place: Place, viewer: AccountId | null) {
  return selectItems(db, place, viewer)
    .where('maker.banned_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.player_id')
            .whereRef('bans.space_id', '=', 'item.space_id')
            .whereRef('bans.player_id', '=', 'item.player_id'),
        ),
      ),
    );
}

/** Returns items with the largest `sort` first, and among equal ones the largest id. */
export async function findPage(db: Db, listed: Listed): Promise<ItemHead[]> {
  const { kind, sort, viewer, mine, after, limit } = listed;
  const by = sort === 'liked' ? 'item.likes' : 'item.created_at';
  // The viewer's own items are listed even if others do not see them.
  let query = mine
    ? selectItems(db, listed, viewer).where('item.player_id', '=', viewer ?? nobody)
    : shownItems(db, listed, viewer);
  query = query.where('item.kind', '=', kind).orderBy(by, 'desc').orderBy('item.id', 'desc').limit(limit);
  if (after) query = query.where(afterCursor(by, 'item.id', after));
  return query.execute();
}

/** Returns an item that the viewer may see: one that others see, or their own. */
export async function findItem(
  db: Db,
  place: Place,
  { id, viewer }: { id: ContentId; viewer: AccountId | null },
): Promise<ItemHead | undefined> {
  const shown = await shownItems(db, place, viewer).where('item.id', '=', id).executeTakeFirst();
  if (shown || viewer === null) return shown;
  return selectItems(db, place, viewer)
    .where('item.id', '=', id)
    .where('item.player_id', '=', viewer)
    .executeTakeFirst();
}

/** Returns the content of these items. Items that were deleted in the meantime are left out. */
export async function findData(
  db: Db,
  ids: readonly ContentId[],
): Promise<ReadonlyMap<ContentId, Json<unknown>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('content')
    .select(['id', 'data'])
    .where('id', 'in', oneOf(db, ids))
    .execute();
  return new Map(rows.map(({ id, data }) => [id, data]));
}

/** Returns the id of the player's item with the same content. */
export async function findSame(
  tx: Tx,
  { space_id, env, player_id, digest }: ContentRow,
): Promise<ContentId | undefined> {
  const row = await tx.db
    .selectFrom('content')
    .select('id')
    .where('player_id', '=', player_id)
    .where('space_id', '=', space_id)
    .where('env', '=', env)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.id;
}

/** Returns how many items a player has in a place. */
export async function countItems(tx: Tx, { spaceId, env }: Place, playerId: AccountId): Promise<number> {
  const { count } = await tx.db
    .selectFrom('content')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('player_id', '=', playerId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertItem(tx: Tx, row: ContentRow): Promise<void> {
  await tx.db.insertInto('content').values(row).execute();
}

/** Conditions for items to delete. All given ones must hold. */
export interface WhichItems {
  readonly id?: ContentId | undefined;
  readonly spaceId?: SpaceId | undefined;
  readonly env?: Env | undefined;
  readonly playerId?: AccountId | undefined;
}

/** Deletes items with their likes. Returns how many there were. */
export async function deleteItems(tx: Tx, { id, spaceId, env, playerId }: WhichItems): Promise<number> {
  let deletion = tx.db.deleteFrom('content');
  if (id !== undefined) deletion = deletion.where('id', '=', id);
  if (spaceId !== undefined) deletion = deletion.where('space_id', '=', spaceId);
  if (env !== undefined) deletion = deletion.where('env', '=', env);
  if (playerId !== undefined) deletion = deletion.where('player_id', '=', playerId);
  return Number((await deletion.executeTakeFirst()).numDeletedRows);
}
