import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

interface AnnouncedBoard {
  readonly id: BoardId;
  readonly space_id: SpaceId;
}

/** Entries of the board changed: nobody came, and nobody went. */
export function announceEntries(tx: Tx, { id }: Pick<AnnouncedBoard, 'id'>): void {
  announceShown(tx, `board:${id}`);
}

/** As `announceEntries`; this player came or went, or anybody may have (`*`): the number of entries is another. */
export function announceComing(tx: Tx, board: AnnouncedBoard, playerId: PlayerId | '*'): void {
  announceEntries(tx, board);
  announceShown(tx, `won:${board.space_id}`);
  announceShown(tx, `played:${playerId}`);
}
