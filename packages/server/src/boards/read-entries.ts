import type { BoardEntries, EntriesQuery } from '@spaceport/contract/entries';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { foldHandle } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';
import { keepBoard, keptBoard } from './kept-boards.ts';
import { firstPeriod, type Place, parseWindow, rulesOf, scoreOf } from './ranking.ts';
import {
  type BoardRow,
  countRanking,
  findBoard,
  findRankedEntries,
  type PageStart,
} from './read-entries.queries.ts';

interface BoardName {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly key: string;
}

/**
 * Returns a page of a board's ranking, and the tags that it shows.
 * @throws `not_found`, `no_such_player` and `invalid`
 */
export async function readEntries(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  { spaceId, env, key }: BoardName,
  query: EntriesQuery,
): Promise<WithShown<BoardEntries>> {
  const kept = keptBoard(db, { spaceId, env, key });
  const known = kept && (await readKnown(db, kept, query, clock.now()));
  if (known) return known;
  const board = await findBoard(db, spaceId, env, key);
  if (!board) throw new ServiceError('not_found', `There is no board «${key}».`);
  keepBoard(db, board);
  return readPage(db, board, query, clock.now());
}

/** Reads by a board that was kept; null if that may not be its row any more. */
async function readKnown(
  db: Db,
  board: BoardRow,
  query: EntriesQuery,
  now: number,
): Promise<WithShown<BoardEntries> | null> {
  try {
    const page = await readPage(db, board, query, now);
    return page.body.entries.length > 0 ? page : null;
  } catch (error) {
    // The row that is there now decides what is refused.
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

async function readPage(
  db: Db,
  board: BoardRow,
  { limit, period, cursor: given, around }: EntriesQuery,
  now: number,
): Promise<WithShown<BoardEntries>> {
  const cursor = given === undefined ? null : decodeCursor(given);
  const { id: boardId, sort, keep, periods, ranked_as } = board;
  const window = windowOf(board, period, cursor, now);
  const asked = { boardId, window, sort, keep, periods, ranked_as, limit: limit + 1 };
  const rows = await findRankedEntries(db, asked, startAt(cursor, around, limit));
  if (rows.length === 0 && cursor === null && around !== undefined) throw noSuchPlayer(around);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const rules = rulesOf(board);
  const body = {
    entries: page.map(({ rank, handle, sort_key, submission_id, created_at }) => ({
      rank,
      handle: handle ?? '',
      score: scoreOf(rules, sort_key),
      submitted_at: toTimestamp(created_at),
      submission: submission_id,
    })),
    total: rows[0]?.total ?? (await countRanking(db, asked)),
    next: rows.length > limit && last !== undefined ? encodeCursor({ ...toPlace(last), window }) : null,
  };
  const people = page.map(({ player_id }) => `person:${player_id}` as const);
  return { body, shows: [`board:${boardId}`, ...people] };
}

/** Returns a page of the ranking of one of the caller's boards, live or in the sandbox. */
export async function readOwnEntries(
  platform: Platform,
  caller: CreatorCaller,
  { slug, key }: { slug: string; key: string },
  { sandbox, ...query }: EntriesQuery & { sandbox?: 'true' | 'false' | undefined },
): Promise<BoardEntries> {
  const { id } = await ownView(platform.database.db, slug, caller);
  const env = sandbox === 'true' ? 'sandbox' : 'live';
  return (await readEntries(platform, { spaceId: id, env, key }, query)).body;
}

/** Returns the requested window. Later pages of a list keep the window of the first page. */
function windowOf(board: BoardRow, named: string | undefined, cursor: Cursor | null, now: number): string {
  const { periods } = rulesOf(board);
  const asked = parseWindow(named ?? firstPeriod({ periods }), now);
  if (!asked) throw invalid('period', 'is not a date');
  if (!periods.includes(asked.period))
    throw invalid('period', `is not a ranking of this board, which has ${periods.join(', ')}`);
  if (!cursor) return asked.window;
  const isNamed = named !== undefined && named === asked.window;
  const goesOn = parseWindow(cursor.window, now);
  if (goesOn?.period !== asked.period || (isNamed && cursor.window !== asked.window))
    throw invalid('cursor', 'belongs to another ranking');
  return cursor.window;
}

/** A later page continues after the previous one, even if the first page was around a player. */
function startAt(cursor: Cursor | null, around: string | undefined, limit: number): PageStart {
  if (cursor) return { at: 'behind', place: cursor };
  if (around === undefined) return { at: 'top' };
  return { at: 'around', handle: foldHandle(around), above: Math.floor(limit / 2) };
}

function toPlace({ sort_key, submission_id }: { sort_key: number; submission_id: number }): Place {
  return { sortKey: sort_key, submissionId: submission_id };
}

interface Cursor extends Place {
  readonly window: string;
}

function encodeCursor({ window, sortKey, submissionId }: Cursor): string {
  return Buffer.from(`${window} ${sortKey} ${submissionId}`).toString('base64url');
}

function decodeCursor(text: string): Cursor {
  const [window = '', key = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  const [sortKey, submissionId] = [Number(key), Number(id)];
  const isPlace = key !== '' && Number.isFinite(sortKey) && Number.isSafeInteger(submissionId);
  if (!isPlace || id === '' || rest.length > 0)
    throw invalid('cursor', 'is not the `next` of an earlier answer');
  return { window, sortKey, submissionId };
}

function noSuchPlayer(handle: string): ServiceError {
  return new ServiceError('no_such_player', `@${handle.replace('@', '')} has no entry in this ranking.`);
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `The ${path} ${message}.`, { issues: [{ path, message }] });
}
