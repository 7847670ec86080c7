import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { askUntil } from '../../test/ask-until.ts';
import { accountPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('players who read what they have played at the same moment', () => {
  let service: TestService;
  let arenas: [Arena, Arena];
  const players: PlayingVisitor[] = [];
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', RANK_SEGMENT_SIZE: '4' } });
    const boards = [{ key: 'points' }, { key: 'laps', sort: 'asc' as const, periods: ['day' as const] }];
    arenas = [await makeArena(service, boards), await makeArena(service, boards)];
    for (let player = 0; player < 12; player++) {
      const handle = `player_${player}`;
      const who = await accountPlayer(service, handle);
      players.push(who);
      // Some have opened both spaces, and some have no score.
      for (const arena of arenas.slice(0, 1 + (player % 2))) {
        await who.session(arena.slug);
        const keys = ['points', 'laps'].slice(0, player % 3);
        for (const key of keys) await arena.score(key, handle, (player * 7) % 10);
      }
    }
    // Plays are recorded in parallel with the answer.
    for (const [player, who] of players.entries())
      await askUntil(
        () => me(who),
        ({ played }) => played.length === 1 + (player % 2),
      );
  });
  after(() => service.close());

  const me = async (who: PlayingVisitor) => {
    const answer = await who.call('GET', '/api/player/me');
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  };
  const scoresOf = (own: { scores: { space: { slug: string }; board: { key: string }; rank: number }[] }) =>
    own.scores.map(({ space, board, rank }) => [space.slug, board.key, rank]).sort();

  it('get what each of them gets alone', async () => {
    const together = await Promise.all([...players, ...players].map(me));
    const alone = [];
    for (const who of players) alone.push(await me(who));
    assert.deepEqual(together, [...alone, ...alone]);
    const boards = alone.map(({ scores }) => scores.length);
    assert.deepEqual(boards, [0, 2, 2, 0, 1, 4, 0, 2, 2, 0, 1, 4]);
  });

  it('are not told of scores in a deleted space', async () => {
    const [kept, deleted] = arenas;
    const who = players[5];
    assert.ok(who);
    const before = scoresOf(await me(who));
    assert.equal((await deleted.creator.call('DELETE', `/api/spaces/${deleted.slug}`)).status, 200);
    const after = scoresOf(await me(who));
    assert.deepEqual(
      after,
      before.filter(([slug]) => slug === kept.slug),
    );
    assert.equal(after.length, 2);
  });
});
