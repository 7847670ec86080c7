import type { deleteSubmissions as operation } from '@spaceport/contract/moderation';
import type { AnswerOf, BodyOf } from '@spaceport/contract/operation';
import { lockRankings } from '../boards/change-entries.ts';
import { inSteps, stepRows } from '../boards/rebuild.ts';
import { rerankPlayers } from '../boards/rerank-board.ts';
import { countGuestScores, deleteMeantScores } from '../guests/guests.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { findPlayer } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';
import {
  countMatching,
  deleteMatching,
  findMatchingPlayers,
  listMatching,
  type SubmissionFilter,
} from './matching.queries.ts';
import { findBoardsOfSpace } from './moderation.queries.ts';
import { noSuchPlayer } from './moderation.ts';

type Answer = AnswerOf<typeof operation>;
type Boards = Awaited<ReturnType<typeof findBoardsOfSpace>>;

const shownFirst = 10;

/**
 * Deletes submissions to the boards of one of the caller's spaces, by version, player or time, and ranks the
 * players again from what is left. A dry run only returns what would be deleted.
 * @throws `not_found` and `no_such_player`
 */
export async function deleteSubmissions(
  { database }: Platform,
  caller: CreatorCaller,
  slug: string,
  { version, player, from, to, board, sandbox, dry_run }: BodyOf<typeof operation>,
): Promise<Answer> {
  const { id } = await ownView(database.db, slug, caller);
  const playerId = player === undefined ? undefined : await playerNamed(database.db, player);
  const filterOf = (boards: Boards): SubmissionFilter => ({
    boardIds: boards.map((one) => one.id),
    version,
    playerId,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  });
  const env = sandbox ? 'sandbox' : 'live';
  const isMeant = (one: Boards[number]) => one.env === env && (board === undefined || one.key === board);
  return database.transaction(async (tx) => {
    if (!dry_run) await lockRankings(tx, [id]);
    const boards = (await findBoardsOfSpace(tx, id)).filter(isMeant);
    const filter = filterOf(boards);
    const found = await describe(tx, boards, filter);
    return dry_run ? { dry_run, ...found } : { dry_run, ...(await deleteFound(tx, boards, filter, found)) };
  });
}

type Found = Omit<Answer, 'dry_run'>;

async function describe(tx: Tx, boards: Boards, filter: SubmissionFilter): Promise<Found> {
  const counts = new Map((await countMatching(tx.db, filter)).map((count) => [count.boardId, count]));
  const newest = await listMatching(tx.db, filter, shownFirst);
  const found = boards.flatMap(({ id, key }) => {
    const count = counts.get(id);
    if (!count) return [];
    return { board: key, submissions: count.submissions, players: count.players, ranked: 'now' as const };
  });
  return {
    submissions: found.reduce((sum, { submissions }) => sum + submissions, 0),
    // Guests have no handle, so their scores are not counted for one player.
    guest_scores: filter.playerId === undefined ? await countGuestScores(tx.db, filter) : 0,
    boards: found,
    first: newest.map(({ id, handle, created_at, ...one }) => ({
      submission: id,
      ...one,
      handle: handle ?? '',
      submitted_at: toTimestamp(created_at),
    })),
  };
}

async function deleteFound(tx: Tx, boards: Boards, filter: SubmissionFilter, found: Found): Promise<Found> {
  const ranked = new Map<string, 'now' | 'soon'>();
  const keys = new Set(found.boards.map(({ board }) => board));
  for (const board of boards) {
    if (!keys.has(board.key)) continue;
    const own = { ...filter, boardIds: [board.id] };
    const playerIds = await findMatchingPlayers(tx, own);
    await inSteps(() => deleteMatching(tx, own, stepRows));
    ranked.set(board.key, await rerankPlayers(tx, board, playerIds));
  }
  if (found.guest_scores > 0) await deleteMeantScores(tx, filter);
  return {
    ...found,
    boards: found.boards.map((one) => ({ ...one, ranked: ranked.get(one.board) ?? one.ranked })),
  };
}

async function playerNamed(db: Db, handle: string): Promise<AccountId> {
  const player = await findPlayer(db, handle);
  if (!player) throw noSuchPlayer(handle);
  return player.playerId;
}
