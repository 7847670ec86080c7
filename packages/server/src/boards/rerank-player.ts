import type { Selectable } from 'kysely';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import type { BoardsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { announceComing } from './announce-entries.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { findEntriesOf } from './entries.queries.ts';
import { findStandings } from './player-standings.ts';
import { type Place, type RuledBoard, rulesOf } from './ranking.ts';
import { nameKey, takeRankings } from './rankings.queries.ts';
import { noteChanges } from './rerank-board.queries.ts';

type RankedBoard = RuledBoard & Pick<Selectable<BoardsTable>, 'id' | 'space_id'>;

/**
 * Makes a player's entries on these boards again from their submissions, or deletes all of them if the player
 * is banned. The caller holds the rankings' lock.
 */
export async function rerankPlayer(
  tx: Tx,
  boards: readonly RankedBoard[],
  { playerId, banned }: { playerId: PlayerId; banned: boolean },
  segmentSize: number,
): Promise<void> {
  const before = new Map(
    (
      await findEntriesOf(
        tx,
        playerId,
        boards.map(({ id }) => id),
      )
    ).map((entry) => [nameKey(entry), entry]),
  );
  const after = banned ? [] : await standingsOn(tx, boards, playerId);
  const rankings = new Map((await takeRankings(tx, after)).map((ranking) => [nameKey(ranking), ranking.id]));
  const changes: EntryChange[] = [];
  for (const standing of after) {
    const key = nameKey(standing);
    const entry = before.get(key);
    before.delete(key);
    const rankingId = rankings.get(key);
    if (rankingId === undefined) throw new Error(`the ranking ${key} was not made`);
    if (entry && isSame(entry.place, standing.place)) continue;
    changes.push({ rankingId, playerId, before: entry?.place ?? null, after: standing.place });
  }
  // No submission is left in these windows.
  for (const { rankingId, place } of before.values())
    changes.push({ rankingId, playerId, before: place, after: null });
  await changeEntries(tx, changes, { segmentSize });
  for (const board of boards) announceComing(tx, board, playerId);
  await noteChanges(
    tx,
    boards.map((board) => ({ board, playerId })),
  );
}

async function standingsOn(
  tx: Tx,
  boards: readonly RankedBoard[],
  playerId: PlayerId,
): Promise<{ boardId: BoardId; window: string; place: Place }[]> {
  const standings = [];
  for (const board of boards) {
    const found = await findStandings(tx.db, rulesOf(board), { boardId: board.id, playerId });
    for (const [window, place] of found) standings.push({ boardId: board.id, window, place });
  }
  return standings;
}

function isSame(left: Place, right: Place): boolean {
  return left.sortKey === right.sortKey && left.submissionId === right.submissionId;
}
