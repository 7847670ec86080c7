import type { Entry, Page } from '../../../types.ts';
import type { ShimHost } from '../../shim-host.ts';
import type { NewgroundsKeys } from '../keys.ts';
import { numberOf } from '../number-of.ts';
import type { Component } from './component.ts';
import { Refusal } from './refusal.ts';
import type { Session } from './session.ts';

const periods: Readonly<Record<string, Page['period']>> = { D: 'day', W: 'week', M: 'month', A: 'all' };
const mostEntries = 100;
const usualEntries = 10;

/** `ScoreBoard.*`: the boards that the creator named for the portal's numbers. */
export function scoreBoards(
  { spaceport }: ShimHost,
  keys: NewgroundsKeys,
  session: Session,
): Readonly<Record<string, Component>> {
  const boards = Object.entries(keys.boards ?? {}).map(([id, name]) => ({ id: Number(id), name }));
  function boardOf(id: unknown) {
    const board = boards.find((one) => one.id === Number(id));
    if (!board) throw new Refusal('invalidBoard', 'No board is named for this scoreboard.');
    return board;
  }
  return {
    'ScoreBoard.getBoards': () => ({ scoreboards: boards }),
    'ScoreBoard.getScores': async ({ id, period = 'D', skip, limit, user, social = false }) => {
      const scoreboard = boardOf(id);
      const within = periods[String(period)];
      if (within === undefined) throw new Refusal('invalidParameter', 'Rankings are of D, W, M and A.');
      const from = countOf(skip, 0);
      const most = countOf(limit, usualEntries);
      const isOwn = Boolean(user) || Boolean(social);
      const page = { period: within, limit: Math.min(mostEntries, from + most) };
      const found = isOwn
        ? (await spaceport.scores.around(scoreboard.name, page)).filter(({ you }) => you)
        : await spaceport.scores.top(scoreboard.name, page);
      return {
        scoreboard,
        period,
        social: isOwn,
        limit: most,
        scores: found.slice(from, from + most).map(scoreOf),
        ...(isOwn && { user: session.user() }),
      };
    },
    'ScoreBoard.postScore': async ({ id, value, tag }) => {
      session.mustBeUser();
      const scoreboard = boardOf(id);
      const score = Number(value);
      if (!Number.isSafeInteger(score)) throw new Refusal('invalidParameter', 'A score is an integer.');
      await spaceport.scores.submit(scoreboard.name, score);
      return { scoreboard, score: { value: score, formatted_value: String(score), tag: tag ?? null } };
    },
  };
}

function scoreOf({ handle, score }: Entry) {
  return {
    user: { id: numberOf(handle), name: handle },
    value: score,
    formatted_value: String(score),
    tag: null,
  };
}

function countOf(given: unknown, otherwise: number): number {
  const count = Number(given ?? otherwise);
  return Number.isSafeInteger(count) && count >= 0 ? count : otherwise;
}
