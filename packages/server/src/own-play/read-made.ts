import type { OwnPlay } from '@spaceport/contract/own-play';
import { noItem, readWhole } from '../content/content.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { AccountId, ContentId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { type findMade, findMadeItem } from './published.queries.ts';

type Made = OwnPlay['made'][number];

/** As its maker sees it in a list. */
export function toMade(row: Awaited<ReturnType<typeof findMade>>[number]): Made {
  const { id, slug, space_title, kind, title, likes, bytes, created_at } = row;
  const space = { slug, title: space_title };
  return { id, space, kind, title, likes, bytes, created_at: toTimestamp(created_at) };
}

/**
 * One with what it holds, for its maker: whatever has become of its space.
 * @throws `not_found` for what is another's
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
