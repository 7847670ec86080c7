import type { AccountId, BoardId, GuestId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Replaces the replay of a guest's score; null for a score without one. */
export async function putGuestReplay(
  tx: Tx,
  { guestId, boardId }: { readonly guestId: GuestId; readonly boardId: BoardId },
  data: string | null,
): Promise<void> {
  await tx.db
    .deleteFrom('guest_replays')
    .where('guest_id', '=', guestId)
    .where('board_id', '=', boardId)
    .execute();
  if (data !== null)
    await tx.db.insertInto('guest_replays').values({ guest_id: guestId, board_id: boardId, data }).execute();
}

/** Returns the replays of the guests that an account has adopted, by `replayKey`. */
export async function findAdoptedReplays(tx: Tx, accountId: AccountId): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.db
    .selectFrom('guests as guest')
    .innerJoin('guest_replays as replay', 'replay.guest_id', 'guest.id')
    .selectAll('replay')
    .where('guest.adopted_by', '=', accountId)
    .execute();
  return new Map(rows.map((row) => [replayKey(row), row.data]));
}

export function replayKey(score: { readonly guest_id: GuestId; readonly board_id: BoardId }): string {
  return `${score.guest_id} ${score.board_id}`;
}
