import type { Platform } from '../platform/context.ts';
import { type BoardId, givenId, type PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind, LeasedJob } from '../platform/jobs/queue.ts';
import { announceComing } from './announce-entries.ts';
import { isBannedFrom } from './banned.ts';
import type { BoardRow } from './board-settings.ts';
import { changeEntries, type EntryChange, lockRankings } from './change-entries.ts';
import { findStandings } from './player-standings.ts';
import { findBansOf } from './post-scores.queries.ts';
import { declaredRulesOf, type RankingRules, rulesOf } from './ranking.ts';
import { nameKey, takeRankings } from './rankings.queries.ts';
import { deleteEntriesIn, findRangeEnd } from './rebuild.queries.ts';
import { cutRanking, daysOf, insertRange, rebuildBoard } from './rebuild.ts';
import {
  deleteAllChanges,
  deleteChanges,
  deleteRanking,
  findAside,
  findBoardById,
  findChanges,
  findMadeEntries,
  hasMoreThan,
  making,
  noteChanges,
  putAside,
  setRankedAs,
  showMade,
} from './rerank-board.queries.ts';
import { rerankPlayer } from './rerank-player.ts';

/** The job that ranks a board again. Its ref is the board's id. */
export const rerankJob = 'rerank';
/** The most submissions that one transaction ranks in the new rankings. */
const stepRows = 5_000;
/**
 * The most changes that one transaction applies. When at most `lastChanges` are left, the new
 * rankings replace the old ones.
 */
const changesAtOnce = 100;
const lastChanges = 20;
/**
 * After this many rounds the rest is applied under the lock, so that the job ends even on
 * a board that always gets posts.
 */
const maxRounds = 500;

/**
 * Ranks a board by new rules, which were set in this transaction: at once if that is quick, else by a job.
 * Until the job is done the old rules hold.
 * @param before the row before the change
 */
export async function rankByNewRules(tx: Tx, before: BoardRow, now: BoardRow): Promise<void> {
  const { config } = tx;
  await lockRankings(tx, [now.space_id]);
  if (!(await hasMoreThan(tx, now.id, config.RERANK_AT_ONCE)))
    return rebuildBoard(tx, now, config.RANK_SEGMENT_SIZE);
  // The job may have ended since the row was read. Then the rankings follow the rules that the row declares.
  const locked = await findBoardById(tx.db, now.id);
  if (locked?.ranked_as === null) await setRankedAs(tx, now.id, declaredRulesOf(before));
  await tx.enqueue(rerankJob, now.id);
}

/** Up to this many players are ranked one by one. */
const playersOneByOne = 200;

/**
 * Ranks players again whose submissions were deleted from a board in this transaction, which holds the
 * rankings' lock. Makes their entries from the remaining submissions, at once if that is quick, else by a
 * job. Returns which of the two.
 */
export async function rerankPlayers(
  tx: Tx,
  board: BoardRow,
  playerIds: readonly PlayerId[],
): Promise<'now' | 'soon'> {
  const { RANK_SEGMENT_SIZE: segmentSize, RERANK_AT_ONCE: atOnce } = tx.config;
  if (playerIds.length <= Math.min(playersOneByOne, atOnce)) {
    const isBanned = await findBansOf(tx, [board.space_id], playerIds);
    for (const playerId of playerIds)
      await rerankPlayer(tx, [board], { playerId, banned: isBanned(board.space_id, playerId) }, segmentSize);
    return 'now';
  }
  if (board.ranked_as === null && !(await hasMoreThan(tx, board.id, atOnce))) {
    await rebuildBoard(tx, board, segmentSize);
    return 'now';
  }
  await noteChanges(
    tx,
    playerIds.map((playerId) => ({ board, playerId })),
  );
  if (board.ranked_as === null) await setRankedAs(tx, board.id, rulesOf(board));
  await tx.enqueue(rerankJob, board.id);
  return 'soon';
}

export function createRerankJob(platform: Platform): JobKind {
  return {
    kind: rerankJob,
    timeoutSeconds: 3_600,
    maxAttempts: 10,
    concurrency: 1,
    run: (job) => rerankBoard(platform, job),
  };
}

/**
 * Makes new rankings for a board by its declared rules, beside those that readers see, and swaps them in one
 * short transaction (docs/decisions/0008). Only that transaction delays posts. Transactions that change
 * scores meanwhile record the changes, which are applied here.
 */
async function rerankBoard(platform: Platform, { ref, signal, confirmLease }: LeasedJob): Promise<void> {
  const { database } = platform;
  const boardId = givenId('brd', ref);
  for (;;) {
    // An earlier attempt may have left rows behind.
    await database.transaction(async (tx) => {
      await putAside(tx, boardId, 'made');
      await deleteAllChanges(tx, boardId);
    });
    const board = await findBoardById(database.db, boardId);
    if (board && board.ranked_as !== null) {
      await make(platform, board, signal);
      await followChanges(platform, board, signal);
    }
    const isDone = await database.transaction(async (tx) => {
      if (board) await lockRankings(tx, [board.space_id]);
      const now = board && (await findBoardById(tx.db, boardId));
      if (now && now.ranked_as !== null) {
        if (!board || !isRuledAlike(board, now)) return false;
        while ((await followSome(platform, tx, now)) > 0);
        await putAside(tx, boardId, 'shown');
        await showMade(tx, boardId);
        await setRankedAs(tx, boardId, null);
        announceComing(tx, now, '*');
      }
      await confirmLease(tx);
      return true;
    });
    await dropAside(platform, boardId, signal);
    if (isDone) return;
  }
}

/** Makes every ranking of the board, one range of players at a time. */
async function make({ database, config }: Platform, board: BoardRow, signal: AbortSignal): Promise<void> {
  const rules = declaredRulesOf(board);
  const days = await database.transaction((tx) => daysOf(tx, board.id, rules, making));
  let after: PlayerId = givenId('usr', '');
  while (days.length > 0) {
    signal.throwIfAborted();
    const upTo = await findRangeEnd(database.db, board.id, after, stepRows);
    await database.transaction((tx) => insertRange(tx, board, rules, days, { after, upTo }, making));
    if (upTo === null) break;
    after = upTo;
  }
  for (const rankingId of new Set(days.map((day) => day.rankingId)))
    await database.transaction((tx) => cutRanking(tx, rankingId, config.RANK_SEGMENT_SIZE));
}

async function followChanges(platform: Platform, board: BoardRow, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    signal.throwIfAborted();
    const followed = await platform.database.transaction((tx) => followSome(platform, tx, board));
    if (followed <= lastChanges) return;
  }
}

/**
 * Applies recorded changes: updates those players in the new rankings. Returns how many changes there were.
 */
async function followSome({ config }: Platform, tx: Tx, board: BoardRow): Promise<number> {
  const changes = await findChanges(tx.db, board.id, changesAtOnce);
  if (changes.length === 0) return 0;
  const rules = declaredRulesOf(board);
  for (const playerId of new Set(changes.map(({ player_id }) => player_id)))
    await changeEntries(tx, await placements(tx, board, rules, playerId), {
      segmentSize: config.RANK_SEGMENT_SIZE,
    });
  await deleteChanges(
    tx,
    changes.map(({ id }) => id),
  );
  return changes.length;
}

async function placements(
  tx: Tx,
  board: BoardRow,
  rules: RankingRules,
  playerId: PlayerId,
): Promise<EntryChange[]> {
  const before = new Map(
    (await findMadeEntries(tx, board.id, playerId)).map((entry) => [entry.window, entry]),
  );
  const standings = (await isBannedFrom(tx, board.space_id, playerId))
    ? []
    : [...(await findStandings(tx.db, rules, { boardId: board.id, playerId }))];
  const names = standings.map(([window]) => ({ boardId: board.id, window: making + window }));
  const ids = new Map((await takeRankings(tx, names)).map((ranking) => [nameKey(ranking), ranking.id]));
  const changes: EntryChange[] = [];
  for (const [window, place] of standings) {
    const name = { boardId: board.id, window: making + window };
    const rankingId = ids.get(nameKey(name));
    if (rankingId === undefined) throw new Error(`the ranking ${name.window} was not made`);
    changes.push({ rankingId, playerId, before: before.get(name.window)?.place ?? null, after: place });
    before.delete(name.window);
  }
  for (const { rankingId, place } of before.values())
    changes.push({ rankingId, playerId, before: place, after: null });
  return changes;
}

/** Deletes the replaced rankings, a number of entries at a time. */
async function dropAside({ database }: Platform, boardId: BoardId, signal: AbortSignal): Promise<void> {
  for (const id of await findAside(database.db, boardId)) {
    for (;;) {
      signal.throwIfAborted();
      const deleted = await database.transaction((tx) => deleteEntriesIn(tx, id, stepRows));
      if (deleted < stepRows) break;
    }
    await database.transaction((tx) => deleteRanking(tx, id));
  }
}

function isRuledAlike(left: BoardRow, right: BoardRow): boolean {
  return JSON.stringify(declaredRulesOf(left)) === JSON.stringify(declaredRulesOf(right));
}
