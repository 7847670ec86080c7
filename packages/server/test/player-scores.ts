import assert from 'node:assert/strict';
import type { Arena } from './arena.ts';
import type { PlayingVisitor } from './played.ts';

/** Posting scores as the page of a space does: each player in one session, which `opened` remembers until it is cleared. */
export function playerScores(arenaOf: () => Arena) {
  const opened = new Map<PlayingVisitor, Promise<string>>();
  const sessionOf = (who: PlayingVisitor) => {
    const session = opened.get(who) ?? who.session(arenaOf().slug);
    opened.set(who, session);
    return session;
  };
  async function post(who: PlayingVisitor, board: string, score: number, more: object = {}) {
    const of = 'run' in more ? {} : { session: await sessionOf(who) };
    return who.post('scores', { ...of, board, score, ...more });
  }
  /** The answer to a score that is taken. */
  async function result(who: PlayingVisitor, board: string, score: number, more: object = {}) {
    const answer = await post(who, board, score, more);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  }
  const total = async (board: string) => (await arenaOf().entries(board)).json().total;
  return { opened, sessionOf, post, result, total };
}
