import type { Board } from '@spaceport/contract/boards';
import { type BoardDeclaration, maxBoards } from '@spaceport/contract/declarations';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { tooMany } from '../platform/limits/fit-keys.ts';
import { must } from '../platform/must.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView } from '../spaces/space-view.ts';
import { toBoard } from './board-settings.ts';
import { findBoards, findBoardsByKey } from './boards.queries.ts';
import { planBoards, writeBoards } from './declare-boards.ts';
import { dropBoard } from './drop-boards.ts';
import { countEntries } from './rebuild.ts';

export { findOwnSubmissions, findPostedScores } from './own-scores.queries.ts';
export { findBansOf } from './post-scores.queries.ts';
export { deletePosted, deleteSubmissionsOf } from './rebuild.queries.ts';
export { findReplay, findReplayed, type ReplaySummary } from './replays.queries.ts';

/** Returns a space's boards in the order in which they were declared. */
export async function readBoards(db: Db, spaceId: SpaceId, now: number, env: Env = 'live'): Promise<Board[]> {
  const boards = await findBoards(db, spaceId, env);
  const entries = await countEntries(db, boards, now);
  return boards.map((board) => toBoard(board, must(entries, board.id)));
}

/**
 * Returns the boards of one of the caller's spaces.
 * @throws `not_found`
 */
export async function readOwnBoards(
  { database: { db }, clock }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<Board[]> {
  const { id } = await ownView(db, slug, caller);
  return readBoards(db, id, clock.now());
}

/**
 * Writes the declared boards; each declaration replaces the whole board. Returns all boards of the space.
 * @throws `not_found` and `too_many`
 */
export async function putBoards(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  declared: readonly BoardDeclaration[],
): Promise<Board[]> {
  return platform.database.transaction(async (tx) => {
    const { id } = await lockOwnSpace(tx, slug, caller);
    const { over, wanted } = await planBoards(tx.db, id, declared);
    if (over.length > 0) throw tooMany('boards', maxBoards, wanted);
    await writeBoards(tx, id, declared, { source: 'api', env: 'live' });
    return readBoards(tx.db, id, tx.now);
  });
}

/**
 * Deletes a board with every score on it, in the sandbox too. Returns how many
 * players were in its first ranking.
 * @throws `not_found`
 */
export async function deleteBoard(
  { database }: Platform,
  caller: CreatorCaller,
  slug: string,
  key: string,
): Promise<number> {
  return database.transaction(async (tx) => {
    const { id } = await lockOwnSpace(tx, slug, caller);
    const boards = await findBoardsByKey(tx.db, id, key);
    if (boards.length === 0) throw new ServiceError('not_found', `There is no board «${key}» on «${slug}».`);
    const live = boards.filter(({ env }) => env === 'live');
    const entries = await countEntries(tx.db, live, tx.now);
    for (const board of boards) await dropBoard(tx, board);
    return live.reduce((sum, board) => sum + must(entries, board.id), 0);
  });
}
