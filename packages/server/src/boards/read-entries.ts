import type { BoardEntries, EntriesQuery } from '@spaceport/contract/entries';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { ShownTag } from '../platform/db/shown.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { mustAt } from '../platform/must.ts';
import { foldHandle } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';
import { detailsOf, keptPlayer } from './entry-details.ts';
import { findRankedPage, type PageStart } from './ranked-page.queries.ts';
import { firstPeriod, type Place, parseWindow, type RankingRules, rulesOf, scoreOf } from './ranking.ts';
import { countRanking, findBoard } from './read-entries.queries.ts';

/** What a page of entries is asked for with. Players without an entry of their own see the top. */
export interface EntriesAsked extends Omit<EntriesQuery, 'around'> {
  /** Any player's handle, or the id of the player who asks. */
  readonly around?: string | { readonly playerId: PlayerId } | undefined;
}

/**
 * Returns a page of a board's ranking, and the tags that it shows.
 * @throws `not_found`, `no_such_player` and `invalid`
 */
export async function readEntries(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { spaceId, env, key }: { spaceId: SpaceId; env: Env; key: string },
  { limit, period, cursor: given, around }: EntriesAsked,
): Promise<WithShown<BoardEntries>> {
  const { db } = database;
  const board = await findBoard(db, spaceId, env, key);
  if (!board) throw new ServiceError('not_found', `There is no board «${key}».`);
  const rules = rulesOf(board);
  const cursor = given === undefined ? null : decodeCursor(given);
  const asked = { boardId: board.id, window: windowOf(rules, period, cursor, clock.now()), limit: limit + 1 };
  const start = startAt(cursor, around, limit);
  let found = await findRankedPage(database, asked, withId(database, start));
  if (found === null && start.at === 'around') throw noSuchPlayer(start.handle);
  if (found === null && start.at === 'around-id')
    found = await findRankedPage(database, asked, { at: 'top' });
  const {
    firstRank,
    total,
    entries: rows,
  } = found ?? { firstRank: 1, total: await countRanking(db, asked), entries: [] };
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const shows: ShownTag[] = [`board:${board.id}`];
  const entries: BoardEntries['entries'] = [];
  for (const [index, shown] of (await detailsOf(database, page)).entries()) {
    // The score was deleted a moment ago.
    if (shown === null) continue;
    const { sort_key, submission_id } = mustAt(page, index);
    entries.push({
      rank: firstRank + index,
      handle: shown.handle,
      score: scoreOf(rules, sort_key),
      submitted_at: shown.submitted_at,
      submission: submission_id,
    });
    shows.push(`person:${shown.player_id}`);
  }
  const hasNext = rows.length > limit && last !== undefined;
  const next = hasNext ? encodeCursor({ ...toPlace(last), window: asked.window }) : null;
  return { body: { entries, total, next }, shows };
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
function windowOf(
  { periods }: RankingRules,
  named: string | undefined,
  cursor: Cursor | null,
  now: number,
): string {
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
function startAt(cursor: Cursor | null, around: EntriesAsked['around'], limit: number): PageStart {
  if (cursor) return { at: 'behind', place: cursor };
  if (around === undefined) return { at: 'top' };
  const above = Math.floor(limit / 2);
  if (typeof around === 'object') return { at: 'around-id', playerId: around.playerId, above };
  return { at: 'around', handle: foldHandle(around), above };
}

/** Names the player by id if the id is known: this saves the statement a look-up. */
function withId(database: Pick<Database, 'announcements'>, start: PageStart): PageStart {
  if (start.at !== 'around') return start;
  const playerId = keptPlayer(database, start.handle);
  return playerId === undefined ? start : { at: 'around-id', playerId, above: start.above };
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
  return new ServiceError('no_such_player', `@${handle} has no entry in this ranking.`);
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `The ${path} ${message}.`, { issues: [{ path, message }] });
}
