import { hideBoardsOf } from '../boards/drop-boards.ts';
import { dropSpace, emptySpace } from '../deleting/drop-space.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { lockSpace, type SpaceRow } from '../spaces/spaces.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import {
  endPage,
  findExpiredPages,
  findPageOfSlug,
  findPageOfSpace,
  markGone,
  type UnlistedPage,
} from './unlisted.queries.ts';

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

/**
 * Returns false if the page was claimed in the meantime, and belongs to an account now. What a page with many players
 * has is deleted in many transactions, as that of a space that is purged.
 */
async function drop(database: Database, spaceId: SpaceId): Promise<boolean> {
  const isBegun = await database.transaction(async (tx) => {
    if (!(await lockUnclaimed(tx, spaceId))) return false;
    await endPage(tx, spaceId);
    await hideBoardsOf(tx, spaceId);
    return true;
  });
  if (!isBegun) return false;
  await emptySpace(database, spaceId);
  return database.transaction(async (tx) => {
    // Another process may have come to the end first.
    const found = await lockUnclaimed(tx, spaceId);
    if (!found) return false;
    const { space, page } = found;
    await dropSpace(tx, spaceId, page.claim_id);
    await markGone(tx, spaceId);
    tx.announce('space', space.slug);
    tx.announce('preview', unlistedLabel(space.slug));
    return true;
  });
}

async function lockUnclaimed(
  tx: Tx,
  spaceId: SpaceId,
): Promise<{ space: SpaceRow; page: UnlistedPage } | null> {
  const space = await lockSpace(tx, spaceId);
  const page = await findPageOfSpace(tx.db, spaceId);
  return space && page?.claimed_at === null ? { space, page } : null;
}
