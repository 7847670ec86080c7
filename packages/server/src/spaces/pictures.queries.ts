import { sql } from 'kysely';
import type { SpaceId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SpaceRow } from './spaces.queries.ts';

// None of these statements makes a new revision: a new picture must not break an If-Match or a move.

/** Counts one more requested picture. Returns its number. */
export async function countTake(tx: Tx, spaceId: SpaceId): Promise<number> {
  const { takes } = await tx.db
    .updateTable('spaces')
    .set({ takes: sql<number>`takes + 1` })
    .where('id', '=', spaceId)
    .returning('takes')
    .executeTakeFirstOrThrow();
  return takes;
}

/** Returns how many pictures were requested; undefined if the space is gone. */
export async function findTakes(tx: Tx, spaceId: SpaceId): Promise<number | undefined> {
  const row = await tx.db.selectFrom('spaces').select('takes').where('id', '=', spaceId).executeTakeFirst();
  return row?.takes;
}

export async function setPicture(
  tx: Tx,
  spaceId: SpaceId,
  picture: Partial<Pick<SpaceRow, 'clip' | 'cover' | 'clip_after_seconds'>>,
): Promise<void> {
  await tx.db.updateTable('spaces').set(picture).where('id', '=', spaceId).execute();
  announceShown(tx, `space:${spaceId}`);
}
