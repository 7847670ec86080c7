import type { ContentItem } from '@spaceport/contract/content';
import type { ContentId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { accountOf, requireAccount } from './account-of.ts';
import { findItem, findPage, type ItemHead, type Place } from './content.queries.ts';
import { fitting, noItem, toItems } from './show-items.ts';

/**
 * Returns a page of content of one kind, or of the caller's own content.
 * @throws `sign_in_required` if a caller without an account asks for their own
 */
export async function listContent(
  db: Db,
  place: Place,
  who: PlayCaller,
  asked: {
    kind: string;
    sort: 'new' | 'liked';
    mine: boolean;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<{ items: ContentItem[]; next: string | null }> {
  const { kind, mine, cursor, limit } = asked;
  const account = mine ? requireAccount(who) : accountOf(who);
  const viewer = account?.playerId ?? null;
  const sort = mine ? 'new' : asked.sort;
  const after = decodeCursor(cursor);
  const heads = await findPage(db, { ...place, kind, sort, viewer, mine, after, limit: limit + 1 });
  const cursorOf = ({ id, likes, created_at }: ItemHead) => ({
    id,
    value: sort === 'liked' ? likes : created_at,
  });
  const { page, next } = pageOf(heads, fitting(heads, limit), cursorOf);
  return { items: await toItems(db, page, who), next };
}

/**
 * Returns one item that the caller may see.
 * @throws `not_found`
 */
export async function readItem(db: Db, place: Place, who: PlayCaller, id: ContentId): Promise<ContentItem> {
  const head = await findItem(db, place, { id, viewer: accountOf(who)?.playerId ?? null });
  const [item] = head ? await toItems(db, [head], who) : [];
  if (!item) throw noItem();
  return item;
}
