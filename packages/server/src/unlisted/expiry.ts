import { dropSpace } from '../deleting/drop-space.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { lockSpace } from '../spaces/spaces.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { findExpiredPages, findPageOfSlug, findPageOfSpace } from './unlisted.queries.ts';

const batch = 100;

/** Returns whether the slug belonged to a page that ended because nobody claimed it. */
export async function endedUnclaimed(db: Db, slug: string): Promise<boolean> {
  return (await findPageOfSlug(db, slug))?.claimed_at === null;
}

/**
 * Deletes pages that nobody claimed in time: the space and its versions. The collector deletes the
 * files later. The page's own row stays, so that its token still gives `claim_expired`. Returns how
 * many pages were deleted.
 * @throws AggregateError if some could not be deleted; the others of their batch were
 */
export async function sweepUnlistedPages({ database, clock }: Platform): Promise<number> {
  const now = clock.now();
  let dropped = 0;
  for (;;) {
    const pages = await findExpiredPages(database.db, now, batch);
    dropped += await deleteEach(pages, 'pages', ({ space_id }) => drop(database, space_id));
    if (pages.length < batch) return dropped;
  }
}

/** Returns false if the page was claimed in the meantime, and belongs to an account now. */
function drop(database: Database, spaceId: SpaceId): Promise<boolean> {
  return database.transaction(async (tx) => {
    const space = await lockSpace(tx, spaceId);
    const page = await findPageOfSpace(tx.db, spaceId);
    if (!space || !page || page.claimed_at !== null) return false;
    await dropSpace(tx, spaceId, page.claim_id);
    tx.announce('space', space.slug);
    tx.announce('preview', unlistedLabel(space.slug));
    return true;
  });
}
