import type { OwnPlay } from '@spaceport/contract/own-play';
import { noItem, readWhole } from '../content/content.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { AccountId, ContentId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { type findMade, findMadeItem } from './published.queries.ts';

type Made = OwnPlay['made'][number];

/** Returns an item as its maker sees it in a list. */
export function toMade(row: Awaited<ReturnType<typeof findMade>>[number]): Made {
  const { id, slug, space_title, kind, title, likes, bytes, created_at } = row;
  const space = { slug, title: space_title };
  return { id, space, kind, title, likes, bytes, created_at: toTimestamp(created_at) };
}

/**
 * Returns one item with its data, for its maker, whatever the state of its space.
 * @throws `not_found` if it belongs to somebody else
 */
export async function readMade(
  db: Db,
  accountId: AccountId,
  id: ContentId,
): Promise<Made & { data: unknown }> {
  const row = await findMadeItem(db, accountId, id);
  const data = row && (await readWhole(db, id));
  if (row === undefined || data === undefined) throw noItem();
  return { ...toMade(row), data };
}
