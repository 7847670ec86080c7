import type { Selectable } from 'kysely';
import { fromJson } from '../platform/db/json.ts';
import type { BoardsTable, RankingRules } from '../platform/db/schema.ts';

export type { RankingRules };

/**
 * The pure rules of ranking: the windows that a score counts in, and the
 * score that counts for a player.
 */
export type Period = RankingRules['periods'][number];

export interface Submission {
  readonly id: number;
  readonly score: number;
  readonly createdAt: number;
}

/**
 * A place in the ascending order of a ranking: by sort key, then by submission, so
 * that the earlier one is first.
 */
export interface Place {
  readonly sortKey: number;
  readonly submissionId: number;
}

/** Windows consist of whole days. */
export const dayMs = 86_400_000;

/** The columns of a board's row that its rules are made from. */
export type RuledBoard = Pick<Selectable<BoardsTable>, 'sort' | 'keep' | 'periods' | 'ranked_as'>;

/** Returns the rules that a board's rankings follow now. */
export function rulesOf(board: RuledBoard): RankingRules {
  return board.ranked_as === null ? declaredRulesOf(board) : fromJson(board.ranked_as);
}

/** Returns the rules that a board's row declares. */
export function declaredRulesOf({ sort, keep, periods }: Omit<RuledBoard, 'ranked_as'>): RankingRules {
  return { sort, keep, periods: fromJson(periods) };
}

/** Returns the period of a board's first ranking. */
export function firstPeriod({ periods }: Pick<RankingRules, 'periods'>): Period {
  return periods.includes('all') ? 'all' : (periods[0] ?? 'all');
}

/**
 * Returns the sort key of a score. Rankings ascend, so the key is the negative score if more is better. It is
 * never -0, because some databases treat -0 and 0 as different.
 */
export function sortKeyOf({ sort }: Pick<RankingRules, 'sort'>, score: number): number {
  return (sort === 'desc' ? -score : score) + 0;
}

export function scoreOf({ sort }: Pick<RankingRules, 'sort'>, sortKey: number): number {
  return sortKeyOf({ sort }, sortKey);
}

/** Returns a player's standing after one more submission, which is newer than the earlier ones. */
export function standingAfter(
  { sort, keep }: RankingRules,
  standing: Place | undefined,
  submission: Pick<Submission, 'id' | 'score'>,
): Place {
  const sortKey = sortKeyOf({ sort }, submission.score);
  const place = { sortKey, submissionId: submission.id };
  if (standing === undefined || keep === 'last') return place;
  if (keep === 'sum') return { ...place, sortKey: standing.sortKey + sortKey + 0 };
  // An equal score is not better: the earlier one stays first.
  return sortKey < standing.sortKey ? place : standing;
}

/**
 * Returns a player's standing in each window, from all of their submissions, oldest first.
 * @param standings those by earlier submissions, which it changes
 */
export function standingsOf(
  rules: RankingRules,
  submissions: Iterable<Submission>,
  standings = new Map<string, Place>(),
): Map<string, Place> {
  // Names of windows take longer than all else, and most submissions come on the day of the one before.
  let day = Number.NaN;
  let windows: readonly string[] = [];
  for (const submission of submissions) {
    const { createdAt } = submission;
    if (Math.floor(createdAt / dayMs) !== day) {
      day = Math.floor(createdAt / dayMs);
      windows = rules.periods.map((period) => windowAt(period, createdAt));
    }
    for (const window of windows)
      standings.set(window, standingAfter(rules, standings.get(window), submission));
  }
  return standings;
}

/**
 * Returns the name of a period's window that contains an instant, in UTC: `all`, `2026-11-21`,
 * `2026-W47` (ISO 8601) or `2026-11`.
 */
export function windowAt(period: Period, instant: number): string {
  if (period === 'all') return 'all';
  const date = new Date(instant);
  if (period === 'week') return isoWeek(date);
  return date.toISOString().slice(0, period === 'day' ? 10 : 7);
}

/** ISO 8601: weeks start on Monday, and belong to the year of their Thursday. */
function isoWeek(date: Date): string {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / dayMs / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

/**
 * Returns the window that a reader names: a period for the current one, or a date for a past one.
 * @returns null for a date that does not exist, such as `2026-02-30` or `2026-W60`
 */
export function parseWindow(name: string, now: number): { period: Period; window: string } | null {
  if (name === 'all' || name === 'day' || name === 'week' || name === 'month')
    return { period: name, window: windowAt(name, now) };
  const period = name.includes('W') ? 'week' : name.length === 7 ? 'month' : 'day';
  const instant = period === 'week' ? weekStart(name) : Date.parse(period === 'month' ? `${name}-01` : name);
  // An impossible date rolls over to a day with another name.
  return Number.isNaN(instant) || windowAt(period, instant) !== name ? null : { period, window: name };
}

function weekStart(name: string): number {
  const [year, week] = name.split('-W').map(Number);
  // The 4th of January is always in week 1.
  return Date.UTC(year ?? Number.NaN, 0, 4 + 7 * ((week ?? Number.NaN) - 1));
}
