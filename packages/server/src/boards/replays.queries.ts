import type { BoardId, RunId, SpaceId } from '../platform/db/ids.ts';
import type { Db, ReplaysTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the ids of the first `limit` submissions of a ranking. */
export async function findBest(tx: Tx, rankingId: number, limit: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('entries')
    .select('submission_id')
    .where('ranking_id', '=', rankingId)
    .orderBy('sort_key')
    .orderBy('submission_id')
    .limit(limit)
    .execute();
  return rows.map(({ submission_id }) => submission_id);
}

/** Returns the sort key at a place of a ranking, from 1; undefined if it has fewer entries. */
export async function findPlaceAt(tx: Tx, rankingId: number, place: number): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('entries')
    .select('sort_key')
    .where('ranking_id', '=', rankingId)
    .orderBy('sort_key')
    .orderBy('submission_id')
    .offset(place - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.sort_key;
}

export async function insertReplay(tx: Tx, row: ReplaysTable): Promise<void> {
  await tx.db.insertInto('replays').values(row).execute();
}

/** Deletes a board's replays except those of these submissions. */
export async function deleteOtherReplays(tx: Tx, boardId: BoardId, kept: readonly number[]): Promise<void> {
  let deletion = tx.db.deleteFrom('replays').where('board_id', '=', boardId);
  if (kept.length > 0) deletion = deletion.where('submission_id', 'not in', kept);
  await deletion.execute();
}

/** A replay with its player and score, without its data. */
export interface ReplaySummary {
  readonly submission: number;
  readonly handle: string | null;
  readonly score: number;
  readonly version: number | null;
  readonly bytes: number;
  readonly created_at: number;
}

/** Returns the replays of a board, the newest first. */
export async function findReplays(db: Db, boardId: BoardId): Promise<ReplaySummary[]> {
  return db
    .selectFrom('replays as replay')
    .innerJoin('submissions as submission', 'submission.id', 'replay.submission_id')
    .innerJoin('creators as player', 'player.id', 'submission.player_id')
    .select([
      'submission.id as submission',
      'player.handle',
      'submission.score',
      'submission.version',
      'replay.bytes',
      'submission.created_at',
    ])
    .where('replay.board_id', '=', boardId)
    .orderBy('submission.id', 'desc')
    .execute();
}

/** Returns those of these submissions that have a replay. */
export async function findReplayed(db: Db, submissionIds: readonly number[]): Promise<Set<number>> {
  if (submissionIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('replays')
    .select('submission_id')
    .where('submission_id', 'in', submissionIds)
    .execute();
  return new Set(rows.map(({ submission_id }) => submission_id));
}

/** Returns one replay of a space, by its submission. */
export async function findReplay(
  db: Db,
  spaceId: SpaceId,
  submissionId: number,
): Promise<(ReplaySummary & { board: string; run: RunId | null; data: string }) | undefined> {
  return db
    .selectFrom('replays as replay')
    .innerJoin('submissions as submission', 'submission.id', 'replay.submission_id')
    .innerJoin('boards as board', 'board.id', 'replay.board_id')
    .innerJoin('creators as player', 'player.id', 'submission.player_id')
    .select([
      'submission.id as submission',
      'board.key as board',
      'player.handle',
      'submission.score',
      'submission.version',
      'submission.run',
      'replay.bytes',
      'replay.data',
      'submission.created_at',
    ])
    .where('replay.submission_id', '=', submissionId)
    .where('board.space_id', '=', spaceId)
    .where('board.env', '!=', 'dropped')
    .executeTakeFirst();
}
