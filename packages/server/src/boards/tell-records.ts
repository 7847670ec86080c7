import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { listeningAmong, tellWebhooks } from '../webhooks/tell.ts';
import type { BoardRow } from './board-settings.ts';
import { lockRankings } from './change-entries.ts';
import type { RankedScore } from './rank-scores.ts';
import { firstPeriod, rulesOf, scoreOf } from './ranking.ts';
import { findBoardById } from './rerank-board.queries.ts';
import { findFirstPlace, findToldRecord, noteToldRecord } from './told-records.queries.ts';

/** The job that tells a board's record which came too soon after the last one. Its ref is the board's id. */
const recordJob = 'record';
const leastBetweenMs = 60_000;

/**
 * Tells webhooks of new first places of all time on live boards, at most once a minute for each board.
 * A record that comes sooner waits until the minute ends; of several, only the last is told. The
 * caller holds the rankings' lock.
 */
export async function tellRecords(tx: Tx, ranked: readonly RankedScore[]): Promise<void> {
  const boards = new Map(ranked.filter(isRecord).map(({ board }) => [board.id, board]));
  const inOrder = [...boards.values()].sort(
    (one, other) => compare(one.space_id, other.space_id) || compare(one.id, other.id),
  );
  if (inOrder.length === 0) return;
  const spaceIds = [...new Set(inOrder.map(({ space_id }) => space_id))];
  const listening = await listeningAmong(tx, spaceIds, 'score.record');
  for (const board of inOrder) {
    if (!listening.has(board.space_id)) continue;
    const told = await findToldRecord(tx, board.id);
    const next = (told?.told_at ?? Number.NEGATIVE_INFINITY) + leastBetweenMs;
    if (tx.now < next) await tx.enqueue(recordJob, board.id, next);
    else await tellRecord(tx, board);
  }
}

function isRecord({ board, improved, result }: RankedScore): boolean {
  return board.env === 'live' && improved && result.rank === 1 && firstPeriod(rulesOf(board)) === 'all';
}

/** The order is the same everywhere, so that transactions for several spaces lock them in the same order. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

export function createRecordJob({ database }: Pick<Platform, 'database'>): JobKind {
  return {
    kind: recordJob,
    timeoutSeconds: 30,
    maxAttempts: 10,
    concurrency: 1,
    async run({ ref, confirmLease }) {
      await database.transaction(async (tx) => {
        const board = await findBoardById(tx.db, givenId('brd', ref));
        if (!board) return;
        await lockRankings(tx, [board.space_id]);
        await confirmLease(tx);
        await tellRecord(tx, board);
      });
    },
  };
}

/** Tells who is first on a board, unless that was told before, or an older score is first again. */
async function tellRecord(tx: Tx, board: BoardRow): Promise<void> {
  const first = await findFirstPlace(tx, board.id);
  const told = await findToldRecord(tx, board.id);
  if (!first || first.submission_id <= (told?.submission_id ?? 0)) return;
  const space = await findSpaceById(tx.db, board.space_id);
  if (!space) return;
  await noteToldRecord(tx, board.id, first.submission_id);
  await tellWebhooks(tx, space, 'score.record', {
    board: { key: board.key, title: board.title },
    player: first.handle,
    score: scoreOf(rulesOf(board), first.sort_key),
  });
}
