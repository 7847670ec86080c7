import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

interface AnnouncedBoard {
  readonly id: BoardId;
  readonly space_id: SpaceId;
}

/** Announces that entries of the board changed, when no player was added or removed. */
export function announceEntries(tx: Tx, { id }: Pick<AnnouncedBoard, 'id'>): void {
  announceShown(tx, `board:${id}`);
}

/**
 * Announces that this player, or any player (`*`), was added to the board or removed from it, so that
 * its number of entries changed.
 */
export function announceComing(tx: Tx, board: AnnouncedBoard, playerId: PlayerId | '*'): void {
  announceEntries(tx, board);
  announceShown(tx, `won:${board.space_id}`);
  announceShown(tx, `played:${playerId}`);
}
