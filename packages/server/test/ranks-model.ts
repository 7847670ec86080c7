import { windowAt } from '../src/boards/ranking.ts';
import type { Env } from '../src/platform/db/schema.ts';

/** A model of rankings, computed from all submissions without the service's optimisations. */
export interface ModelBoard {
  readonly key: string;
  sort: 'asc' | 'desc';
  keep: 'best' | 'last' | 'sum';
  periods: ('all' | 'day' | 'week' | 'month')[];
}

export interface ModelSubmission {
  readonly id: number;
  readonly board: string;
  readonly env: Env;
  readonly player: string;
  readonly score: number;
  readonly at: number;
}

export interface ModelEntry {
  readonly rank: number;
  readonly handle: string;
  readonly score: number;
  readonly submission: number;
}

export class RanksModel {
  readonly boards: ModelBoard[];
  readonly banned = new Set<string>();
  submissions: ModelSubmission[] = [];

  constructor(boards: readonly ModelBoard[]) {
    this.boards = boards.map((board) => ({ ...board }));
  }

  board(key: string): ModelBoard {
    const board = this.boards.find((one) => one.key === key);
    if (!board) throw new Error(`no board ${key}`);
    return board;
  }

  /** Returns every window of a board with a submission, and the current one. */
  windows({ key, periods }: ModelBoard, env: Env, now: number): Set<string> {
    const instants = this.#of(key, env).map(({ at }) => at);
    return new Set(periods.flatMap((period) => [...instants, now].map((at) => windowAt(period, at))));
  }

  /** Returns the whole ranking of a board in a window, in order. */
  ranking(key: string, env: Env, window: string): ModelEntry[] {
    const board = this.board(key);
    const inWindow = this.#of(key, env).filter(({ at, player }) => {
      return !this.banned.has(player) && board.periods.some((period) => windowAt(period, at) === window);
    });
    const standings = [...Map.groupBy(inWindow, ({ player }) => player)].map(([handle, own]) => ({
      handle,
      ...standing(board, own),
    }));
    const sign = board.sort === 'desc' ? -1 : 1;
    standings.sort((left, right) => sign * (left.score - right.score) || left.submission - right.submission);
    return standings.map((entry, index) => ({ rank: index + 1, ...entry }));
  }

  #of(key: string, env: Env): ModelSubmission[] {
    return this.submissions.filter((one) => one.board === key && one.env === env);
  }
}

function standing(
  { sort, keep }: ModelBoard,
  own: readonly ModelSubmission[],
): { score: number; submission: number } {
  const ordered = own.toSorted((left, right) => left.id - right.id);
  const last = ordered.at(-1);
  if (!last) throw new Error('nobody stands without a submission');
  if (keep === 'last') return { score: last.score, submission: last.id };
  if (keep === 'sum')
    return { score: ordered.reduce((sum, { score }) => sum + score, 0), submission: last.id };
  const scores = ordered.map(({ score }) => score);
  const score = sort === 'desc' ? Math.max(...scores) : Math.min(...scores);
  return { score, submission: ordered.find((one) => one.score === score)?.id ?? 0 };
}
