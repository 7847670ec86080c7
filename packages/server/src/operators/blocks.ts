import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { findBlocks } from './blocks.queries.ts';
import type { ListQuery } from './list-query.ts';

/**
 * Returns a page of blocked addresses in their order. The cursor is the last address of the previous page.
 */
export async function listBlocks(
  { database: { db } }: Platform,
  { cursor, limit }: ListQuery,
): Promise<{ blocks: { host: string; blocked_at: string }[]; next: string | null }> {
  const rows = await findBlocks(db, cursor, limit + 1);
  const page = rows.slice(0, limit);
  return {
    blocks: page.map(({ address, blocked_at }) => ({ host: address, blocked_at: toTimestamp(blocked_at) })),
    next: rows.length > limit ? (page.at(-1)?.address ?? null) : null,
  };
}
