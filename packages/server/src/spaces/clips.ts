import { sql } from 'kysely';
import type { Tx } from '../platform/db/tx.ts';
import type { StoredClip, StoredCover } from './space-view.ts';
import type { SpaceRow } from './spaces.queries.ts';

/** Taking the picture of a space: `ref` is the space's id, the take to show is the space's `takes`. */
export const clipJob = 'clip';

/**
 * Asks for a new picture of the space; returns its number, or null where this server has no browser. Requests that
 * come while one waits are one job, which takes the newest.
 */
export async function requestClip(tx: Tx, space: Pick<SpaceRow, 'id'>): Promise<number | null> {
  if (tx.config.BROWSER === 'none') return null;
  const { takes } = await tx.db
    .updateTable('spaces')
    // No new revision: a picture is nothing that an If-Match or a move has to mind.
    .set({ takes: sql<number>`takes + 1` })
    .where('id', '=', space.id)
    .returning('takes')
    .executeTakeFirstOrThrow();
  await tx.enqueue(clipJob, space.id);
  return takes;
}

/** Makes a picture that was taken the one that answers show. */
export async function recordClip(tx: Tx, spaceId: string, clip: StoredClip): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ clip: JSON.stringify(clip) })
    .where('id', '=', spaceId)
    .execute();
}

/** Makes a picture of the owner's own the one that answers show; null for the clip again. */
export async function recordCover(tx: Tx, spaceId: string, cover: StoredCover | null): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ cover: cover && JSON.stringify(cover) })
    .where('id', '=', spaceId)
    .execute();
}

/** Has the next picture taken where one was asked for after number `taken`. */
export async function renewClip(tx: Tx, spaceId: string, taken: number): Promise<void> {
  const space = await tx.db.selectFrom('spaces').select('takes').where('id', '=', spaceId).executeTakeFirst();
  if (space && space.takes > taken) await tx.enqueue(clipJob, spaceId);
}
