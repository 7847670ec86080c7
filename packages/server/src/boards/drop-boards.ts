import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import { type BoardId, givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind, LeasedJob } from '../platform/jobs/queue.ts';
import { announceComing } from './announce-entries.ts';
import type { BoardRow } from './board-settings.ts';
import { deleteBoardRow, findAllBoards, hideBoard } from './boards.queries.ts';
import { lockRankings } from './change-entries.ts';
import { findRankingIds } from './rankings.queries.ts';
import { deleteEntriesIn, deleteGuestScores, deletePlayers, deleteSubmissions } from './rebuild.queries.ts';
import { clearBoard, inSteps, stepRows } from './rebuild.ts';
import { deleteAllChanges, deleteRanking, hasMoreThan } from './rerank-board.queries.ts';

/** The job that deletes the rows of a board that is gone. Its ref is the board's id. */
const dropBoardJob = 'drop-board';
/** The most rows that one transaction of the job deletes. */
const pieceRows = 5_000;

/**
 * Deletes a board with every score on it. Of a large one nothing is shown any more and its key is free, and a job
 * deletes the rows: in one transaction they would keep the lock of the space's rankings for seconds, and on SQLite
 * every write.
 */
export async function dropBoard(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<void> {
  await lockRankings(tx, [board.space_id]);
  if (!(await hasMoreThan(tx, board.id, tx.config.RERANK_AT_ONCE))) return dropAtOnce(tx, board);
  await hideBoard(tx, board.id);
  announceComing(tx, board, '*');
  await tx.enqueue(dropBoardJob, board.id);
}

/** Takes every board out of a space that is being deleted for good: nothing ranks or shows it from then on. */
export async function hideBoardsOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  await lockRankings(tx, [spaceId]);
  for (const { id, env } of await findAllBoards(tx.db, spaceId))
    if (env !== 'dropped') await hideBoard(tx, id);
}

/** Deletes the rows of the boards of a space, all of which `hideBoardsOf` has hidden, in many transactions. */
export async function emptyBoardsOf(database: Database, spaceId: SpaceId): Promise<void> {
  for (const { id } of await findAllBoards(database.db, spaceId)) await emptyBoard(database, id, null);
}

/** Deletes every board of a space that is being deleted, live and in the sandbox. */
export async function dropBoardsOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  for (const board of await findAllBoards(tx.db, spaceId)) await dropAtOnce(tx, board);
}

async function dropAtOnce(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<void> {
  await clearBoard(tx, board);
  // They would go with the row of the board, but in one statement.
  await inSteps(() => deletePlayers(tx, board.id, stepRows));
  await deleteGuestScores(tx, board.id);
  await deleteBoardRow(tx, board.id);
}

export function createDropBoardJob(platform: Platform): JobKind {
  return {
    kind: dropBoardJob,
    timeoutSeconds: 3_600,
    maxAttempts: 10,
    concurrency: 1,
    run: (job) => dropInPieces(platform, job),
  };
}

/** Whatever an attempt has deleted stays so: the next one goes on with the rest. */
async function dropInPieces({ database }: Platform, { ref, signal, confirmLease }: LeasedJob): Promise<void> {
  const boardId: BoardId = givenId('brd', ref);
  await emptyBoard(database, boardId, signal);
  await database.transaction(async (tx) => {
    await deleteAllChanges(tx, boardId);
    await deleteBoardRow(tx, boardId);
    await confirmLease(tx);
  });
}

async function emptyBoard(database: Database, boardId: BoardId, signal: AbortSignal | null): Promise<void> {
  const inPieces = async (piece: (tx: Tx) => Promise<number>) => {
    for (let deleted = pieceRows; deleted === pieceRows; ) {
      signal?.throwIfAborted();
      deleted = await database.transaction(piece);
    }
  };
  for (const id of await findRankingIds(database, boardId)) {
    await inPieces((tx) => deleteEntriesIn(tx, id, pieceRows));
    await database.transaction((tx) => deleteRanking(tx, id));
  }
  await inPieces((tx) => deleteSubmissions(tx, boardId, pieceRows));
  await inPieces((tx) => deletePlayers(tx, boardId, pieceRows));
  await deleteGuestScores(database, boardId);
}
