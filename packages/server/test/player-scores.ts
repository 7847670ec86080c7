import assert from 'node:assert/strict';
import { type Arena, makeArena } from './arena.ts';
import { accountPlayer, type PlayingVisitor } from './played.ts';
import { startService } from './service.ts';

/** Makes a space with a board for each rule on players' scores, and two players. */
export async function openPlayedArena() {
  const service = await startService({
    environment: { SIGN_UPS_PER_HOUR: '1000', PLAY_SCORES_PER_MINUTE: '1000', GUESTS_PER_HOUR: '1000' },
  });
  const arena = await makeArena(service, [
    { key: 'points' },
    { key: 'laps', metric: 'time', min: 10 },
    { key: 'sum', keep: 'sum' },
    { key: 'daily', periods: ['day'] },
    { key: 'long', min_seconds: 30 },
    { key: 'fast', max_per_second: 10 },
    { key: 'trusted', trust: 'server' },
  ]);
  const [ada, bob] = [await accountPlayer(service, 'ada'), await accountPlayer(service, 'bob')];
  return { service, arena, ada, bob };
}

/**
 * Returns calls that post scores as a space's page does. Each player uses one session, which `opened` caches.
 */
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
  /** Posts a score, which must be accepted. Returns the answer. */
  async function result(who: PlayingVisitor, board: string, score: number, more: object = {}) {
    const answer = await post(who, board, score, more);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  }
  const total = async (board: string) => (await arenaOf().entries(board)).json().total;
  return { opened, sessionOf, post, result, total };
}
