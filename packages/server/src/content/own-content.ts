import type { OwnContentItem } from '@spaceport/contract/content';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { ContentId } from '../platform/db/ids.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { ownView } from '../spaces/space-view.ts';
import { dropItem, readWhole } from './content.ts';
import { findOwnItem, findOwnPage, type OwnItemHead } from './own-content.queries.ts';
import { noItem } from './show-items.ts';

interface Asked {
  readonly kind?: string | undefined;
  readonly reported: boolean;
  readonly sandbox: boolean;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/**
 * Returns a page of content in one of the caller's spaces.
 * @throws `not_found`
 */
export async function listOwnContent(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  slug: string,
  { kind, reported, sandbox, cursor, limit }: Asked,
): Promise<{ items: OwnContentItem[]; next: string | null }> {
  const space = await ownView(db, slug, caller);
  const place = { spaceId: space.id, env: sandbox ? 'sandbox' : 'live' } as const;
  const after = decodeCursor(cursor);
  const rows = await findOwnPage(db, place, { kind, reported, after, limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { items: page.map(toOwnItem), next };
}

/**
 * Returns one item with its content.
 * @throws `not_found`
 */
export async function readOwnItem(
  { database: { db } }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  { slug, id }: { slug: string; id: ContentId },
): Promise<OwnContentItem & { data: unknown }> {
  const space = await ownView(db, slug, caller);
  const row = await findOwnItem(db, space.id, id);
  const data = row && (await readWhole(db, id));
  if (!row || data === undefined) throw noItem();
  return { ...toOwnItem(row), data };
}

/**
 * Deletes one item, with its likes.
 * @throws `not_found`
 */
export async function deleteOwnItem(
  { database }: Pick<Platform, 'database'>,
  caller: CreatorCaller,
  { slug, id }: { slug: string; id: ContentId },
): Promise<void> {
  const space = await ownView(database.db, slug, caller);
  await database.transaction(async (tx) => {
    if (!(await dropItem(tx, space.id, id))) throw noItem();
  });
}

function toOwnItem(row: OwnItemHead): OwnContentItem {
  const { id, kind, title, handle, likes, bytes } = row;
  return {
    id,
    kind,
    title,
    handle,
    likes,
    bytes,
    created_at: toTimestamp(row.created_at),
    banned: row.bannedAt !== null || row.outOfSpaceAt !== null,
    reports: Number(row.reports),
  };
}
