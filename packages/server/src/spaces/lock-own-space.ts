import type { Tx } from '../platform/db/tx.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { noSuchSpace, requireOwn } from './own-space.ts';
import { findSpaceBySlug, lockSpace, type SpaceRow } from './spaces.queries.ts';

/**
 * Returns a space of the caller, locked until the transaction ends.
 * @throws `not_found`
 */
export async function lockOwnSpace(tx: Tx, slug: string, caller: CreatorCaller): Promise<SpaceRow> {
  // A space of somebody else is not locked, so that nobody can block a space by asking for it.
  const { id } = requireOwn(await findSpaceBySlug(tx.db, slug), slug, caller);
  const space = requireOwn(await lockSpace(tx, id), slug, caller);
  if (space.slug !== slug) throw noSuchSpace(slug);
  return space;
}
