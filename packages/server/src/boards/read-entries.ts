import type { BoardEntries, EntriesQuery } from '@spaceport/contract/entries';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { mustAt } from '../platform/must.ts';
import { foldHandle } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';
import { detailsOf } from './entry-details.ts';
import { firstPeriod, type Place, parseWindow, type RankingRules, rulesOf, scoreOf } from './ranking.ts';
import { countRanking, findBoard, findRankedEntries, type PageStart } from './read-entries.queries.ts';

/**
 * Returns a page of a board's ranking, and the tags that it shows.
 * @throws `not_found`, `no_such_player` and `invalid`
 */
export async function readEntries(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { spaceId, env, key }: { spaceId: SpaceId; env: Env; key: string },
  { limit, period, cursor: given, around }: EntriesQuery,
): Promise<WithShown<BoardEntries>> {
  const { db } = database;
  const board = await findBoard(db, spaceId, env, key);
  if (!board) throw new ServiceError('not_found', `There is no board «${key}».`);
  const rules = rulesOf(board);
  const cursor = given === undefined ? null : decodeCursor(given);
  const asked = { boardId: board.id, window: windowOf(rules, period, cursor, clock.now()), limit: limit + 1 };
  const rows = await findRankedEntries(db, asked, startAt(cursor, around, limit));
  if (rows.length === 0 && cursor === null && around !== undefined) throw noSuchPlayer(around);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const details = await detailsOf(database, page);
  const body = {
    entries: page.flatMap(({ first_rank, sort_key, submission_id }, index) => {
      const shown = mustAt(details, index);
      if (shown === null) return [];
      return {
        rank: first_rank + index,
        handle: shown.handle,
        score: scoreOf(rules, sort_key),
        submitted_at: shown.submitted_at,
        submission: submission_id,
      };
    }),
    total: rows[0]?.total ?? (await countRanking(db, asked)),
    next:
      rows.length > limit && last !== undefined
        ? encodeCursor({ ...toPlace(last), window: asked.window })
        : null,
  };
  const people = page.map(({ player_id }) => `person:${player_id}` as const);
  return { body, shows: [`board:${board.id}`, ...people] };
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
