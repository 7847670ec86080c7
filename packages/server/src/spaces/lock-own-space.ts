import type { Tx } from '../platform/db/tx.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { noSuchSpace } from './space-view.ts';
import { findSpaceBySlug, lockSpace, type SpaceRow } from './spaces.queries.ts';

/** A space of the caller's own, which nobody else changes until the transaction ends. Throws `not_found`. */
export async function lockOwnSpace(tx: Tx, slug: string, caller: CreatorCaller): Promise<SpaceRow> {
  const found = await findSpaceBySlug(tx.db, slug);
  // Another's is not locked: nobody can hold up a space by asking for it.
  if (found?.owner_id !== caller.creatorId) throw noSuchSpace(slug);
  const space = await lockSpace(tx, found.id);
  if (space?.owner_id !== caller.creatorId || space.slug !== slug) throw noSuchSpace(slug);
  return space;
}
