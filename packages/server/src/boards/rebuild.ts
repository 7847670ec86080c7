import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BoardId, givenId, type PlayerId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { must } from '../platform/must.ts';
import { announceComing } from './announce-entries.ts';
import type { BoardRow } from './board-settings.ts';
import { changeEntries, lockRankings } from './change-entries.ts';
import { findEntriesOf, putEntries } from './entries.queries.ts';
import {
  dayMs,
  declaredRulesOf,
  firstPeriod,
  type Place,
  type RankingRules,
  type RuledBoard,
  rulesOf,
  standingsOf,
  windowAt,
} from './ranking.ts';
import { deleteRankings, findRankingIds, findRankings, nameKey, takeRankings } from './rankings.queries.ts';
import {
  cutPage,
  type DayRanking,
  deleteEntriesIn,
  deleteSubmissions,
  deleteSubmissionsOf,
  findDays,
  findRangeEnd,
  findSubmissions,
  insertStandings,
  type PlayerRange,
} from './rebuild.queries.ts';
import { findBoardById, noteChanges, setRankedAs } from './rerank-board.queries.ts';
import { deleteRuns, insertRuns } from './runs.queries.ts';
import { groupLevel, lowest, segmentLevel } from './runs.ts';
import { totalsOf } from './segments.queries.ts';
import { segmentsInGroup } from './segments.ts';

/**
 * The most rows of a large board that one statement touches. Between two statements the
 * process answers other requests.
 */
export const stepRows = 20_000;

/**
 * Makes all entries of a board again, from its submissions and the rules in this row. Players with equal
 * scores keep their order. Readers see the old ranking until this transaction ends.
 */
export async function rebuildBoard(tx: Tx, board: BoardRow, segmentSize: number): Promise<void> {
  await lockRankings(tx, [board.space_id]);
  await dropRankings(tx, board);
  await setRankedAs(tx, board.id, null);
  const rules = declaredRulesOf(board);
  const days = await daysOf(tx, board.id, rules);
  if (days.length === 0) return;
  let after: PlayerId = givenId('usr', '');
  for (;;) {
    const upTo = await findRangeEnd(tx.db, board.id, after, stepRows);
    await insertRange(tx, board, rules, days, { after, upTo });
    await nextTurn();
    if (upTo === null) break;
    after = upTo;
  }
  for (const rankingId of new Set(days.map((day) => day.rankingId)))
    await cutRanking(tx, rankingId, segmentSize);
}

/** Deletes the submissions of a board and its entries. Returns how many submissions there were. */
export async function clearBoard(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<number> {
  await lockRankings(tx, [board.space_id]);
  await dropRankings(tx, board);
  return inSteps(() => deleteSubmissions(tx, board.id, stepRows));
}

/**
 * Deletes the submissions of one player on a board, and their entries. Returns
 * how many submissions there were.
 */
export async function clearPlayer(
  tx: Tx,
  board: Pick<BoardRow, 'id' | 'space_id'>,
  playerId: PlayerId,
  segmentSize: number,
): Promise<number> {
  await lockRankings(tx, [board.space_id]);
  const row = await findBoardById(tx.db, board.id);
  if (row) await noteChanges(tx, [{ board: row, playerId }]);
  const entries = await findEntriesOf(tx, playerId, [board.id]);
  await changeEntries(
    tx,
    entries.map(({ rankingId, place }) => ({ rankingId, playerId, before: place, after: null })),
    { segmentSize },
  );
  announceComing(tx, board, playerId);
  return deleteSubmissionsOf(tx, board.id, playerId);
}

/** Returns how many players each board has in its first ranking, by the board's id. */
export async function countEntries(
  db: Db,
  boards: readonly (RuledBoard & Pick<BoardRow, 'id'>)[],
  now: number,
): Promise<Map<string, number>> {
  if (boards.length === 0) return new Map();
  const names = boards.map((board) => ({
    boardId: board.id,
    window: windowAt(firstPeriod(rulesOf(board)), now),
  }));
  const found = await findRankings(
    db,
    names.map(({ boardId }) => boardId),
    [...new Set(names.map(({ window }) => window))],
  );
  const rankings = new Map(found.map((ranking) => [nameKey(ranking), ranking.id]));
  const totals = await totalsOf(db, [...rankings.values()]);
  return new Map(
    names.map((name) => {
      const ranking = rankings.get(nameKey(name));
      return [name.boardId, (ranking !== undefined && totals.get(ranking)) || 0];
    }),
  );
}

/**
 * Returns the rankings that submissions of each day count in. Missing rankings are made.
 * @param prefix is put before the names of the rankings
 */
export async function daysOf(
  tx: Tx,
  boardId: BoardId,
  { periods }: RankingRules,
  prefix = '',
): Promise<DayRanking[]> {
  const windows = (await findDays(tx, boardId)).flatMap((day) =>
    periods.map((period) => ({ day, boardId, window: prefix + windowAt(period, day * dayMs) })),
  );
  const rankings = await takeRankings(tx, windows);
  const ids = new Map(rankings.map((ranking) => [nameKey(ranking), ranking.id]));
  return windows.map((window) => ({ day: window.day, rankingId: must(ids, nameKey(window)) }));
}

/** Makes the entries of a range of players in the rankings of these days, whose names begin with `prefix`. */
export async function insertRange(
  tx: Tx,
  board: BoardRow,
  rules: RankingRules,
  days: readonly DayRanking[],
  range: PlayerRange,
  prefix = '',
): Promise<void> {
  if (rules.keep !== 'sum') return insertStandings(tx, board, rules, days, range);
  // The scores are added one by one, in the order of the posts: a database's sum() may round differently.
  const submissions = await findSubmissions(tx.db, board, range);
  const names = await takeRankings(
    tx,
    days.flatMap(({ day }) =>
      rules.periods.map((period) => ({
        boardId: board.id,
        window: prefix + windowAt(period, day * dayMs),
      })),
    ),
  );
  const rankings = new Map(names.map(({ window, id }) => [window, id]));
  const entries = [...Map.groupBy(submissions, ({ playerId }) => playerId)].flatMap(([playerId, own]) =>
    [...standingsOf(rules, own)].flatMap(([window, place]) => {
      const rankingId = rankings.get(prefix + window);
      // This window began after `days` was read. Its posts are recorded as
      // changes, which will make its ranking.
      return rankingId === undefined ? [] : [{ playerId, place, rankingId }];
    }),
  );
  await putEntries(tx, entries);
}

/** Cuts a ranking's entries into runs of equal size and writes their counts. */
export async function cutRanking(tx: Tx, rankingId: number, size: number): Promise<void> {
  const limit = Math.ceil(stepRows / size) * size;
  const segments: { low: Place; n: number }[] = [];
  let from: Place | null = lowest;
  while (from !== null) {
    const page: Awaited<ReturnType<typeof cutPage>> = await cutPage(tx, rankingId, from, { size, limit });
    segments.push(...page.runs);
    from = page.next;
    await nextTurn();
  }
  if (segments.length === 0) return;
  const [first] = segments;
  if (first) first.low = lowest;
  const groups: { low: Place; n: number }[] = [];
  for (const [index, { low, n }] of segments.entries()) {
    const last = groups.at(-1);
    if (last && index % segmentsInGroup(size) !== 0) last.n += n;
    else groups.push({ low, n });
  }
  await deleteRuns(tx, rankingId);
  const rowsAt = (level: number, runs: typeof segments) =>
    runs.map(({ low, n }) => ({
      ranking_id: rankingId,
      level,
      low_key: low.sortKey,
      low_id: low.submissionId,
      n,
    }));
  await insertRuns(tx, [...rowsAt(segmentLevel, segments), ...rowsAt(groupLevel, groups)]);
}

/** Deletes the rankings of a board. The same transaction makes the new ones, if there are any. */
async function dropRankings(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<void> {
  for (const id of await findRankingIds(tx, board.id)) await inSteps(() => deleteEntriesIn(tx, id, stepRows));
  await deleteRankings(tx, board.id);
  announceComing(tx, board, '*');
}

/**
 * Repeats a statement that touches up to `stepRows` rows until none are left.
 * Returns the total number of rows.
 */
export async function inSteps(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count < stepRows) return total;
    await nextTurn();
  }
}
