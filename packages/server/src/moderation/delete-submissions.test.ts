import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('deleting submissions by version, player or time', () => {
  let service: TestService;
  let arena: Arena;
  let ada: PlayingVisitor;
  let bob: PlayingVisitor;
  let guest: PlayingVisitor;
  before(async () => {
    service = await startService({
      environment: {
        SIGN_UPS_PER_HOUR: '1000',
        PUBLISHES_PER_HOUR: '1000',
        PLAY_SCORES_PER_MINUTE: '1000',
        RERANK_AT_ONCE: '5',
      },
    });
    ada = await accountPlayer(service, 'ada');
    bob = await accountPlayer(service, 'bob');
    guest = guestPlayer(service);
  });
  after(() => service.close());
  beforeEach(async () => {
    arena = await makeArena(service, [
      { key: 'points', periods: ['all', 'day'] },
      { key: 'sum', keep: 'sum' },
    ]);
  });

  const post = async (who: PlayingVisitor, board: string, score: number, version = 1) => {
    const session = await who.session(arena.slug, version);
    const answer = await who.post('scores', { session, board, score });
    assert.equal(answer.status, 200, answer.text());
  };
  const remove = (body: object, who: Pick<PlayingVisitor, 'call'> = arena.creator) =>
    who.call('DELETE', `/api/spaces/${arena.slug}/scores`, body);
  async function removed(body: object) {
    const answer = await remove(body);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  }
  const standing = async (board: string) =>
    (await arena.entries(board))
      .json()
      .entries.map(({ handle, score }: { handle: string; score: number }) => `${handle} ${score}`);
  const counts = ({ boards }: { boards: { board: string; submissions: number; players: number }[] }) =>
    boards.map(({ board, submissions, players }) => `${board} ${submissions} ${players}`);

  it('deletes those played in one version, and ranks the players by the rest', async () => {
    await post(ada, 'points', 5);
    await post(bob, 'points', 7);
    await post(guest, 'points', 3);
    await publishLive(service, arena.creator, smallGame, { space: arena.slug });
    for (const score of [100, 200]) await post(ada, 'points', score, 2);
    await post(guest, 'points', 300, 2);
    await post(ada, 'sum', 1, 2);
    await arena.score('sum', 'bob', 2);
    const asked = await removed({ version: 2, dry_run: true });
    assert.deepEqual([asked.dry_run, asked.submissions, asked.guest_scores], [true, 3, 1]);
    assert.deepEqual(counts(asked).toSorted(), ['points 2 1', 'sum 1 1']);
    assert.deepEqual(
      asked.first.map(({ handle, score, version }: Record<string, unknown>) => [handle, score, version]),
      [
        ['ada', 1, 2],
        ['ada', 200, 2],
        ['ada', 100, 2],
      ],
    );
    assert.deepEqual(await standing('points'), ['ada 200', 'bob 7']);
    const done = await removed({ version: 2 });
    assert.deepEqual({ ...done, dry_run: true }, asked);
    assert.deepEqual(await standing('points'), ['bob 7', 'ada 5']);
    assert.deepEqual(await standing('sum'), ['bob 2']);
    assert.equal((await removed({ version: 2 })).submissions, 0);
    assert.equal((await removed({ version: 2, dry_run: true })).guest_scores, 0);
  });

  it('deletes those of one player, on one board or on all', async () => {
    await post(ada, 'points', 5);
    await post(ada, 'sum', 5);
    await post(bob, 'points', 4);
    assert.deepEqual(counts(await removed({ player: '@ADA', board: 'sum' })), ['sum 1 1']);
    assert.deepEqual(await standing('points'), ['ada 5', 'bob 4']);
    assert.deepEqual(await standing('sum'), []);
    assert.deepEqual(counts(await removed({ player: 'ada' })), ['points 1 1']);
    assert.deepEqual(await standing('points'), ['bob 4']);
    await post(ada, 'points', 1);
    assert.deepEqual(await standing('points'), ['bob 4', 'ada 1']);
  });

  it('deletes those in a time span, including its start and excluding its end', async () => {
    const [early, late] = [guestPlayer(service), guestPlayer(service)];
    // The clock stands, so that scores are posted at exactly the start and the end of the span.
    const { from, to } = await service.clock.standing(async () => {
      await post(ada, 'points', 5);
      await post(early, 'points', 8);
      service.clock.advance({ hours: 1 });
      const from = new Date(service.clock.now()).toISOString();
      await post(ada, 'points', 50);
      await post(bob, 'points', 60);
      await post(guest, 'points', 70);
      service.clock.advance({ hours: 1 });
      const to = new Date(service.clock.now()).toISOString();
      await post(bob, 'points', 6);
      await post(late, 'points', 9);
      return { from, to };
    });
    const { submissions, guest_scores } = await removed({ from, to });
    assert.deepEqual([submissions, guest_scores], [2, 1]);
    assert.deepEqual(await standing('points'), ['bob 6', 'ada 5']);
    const later = await removed({ from: to });
    assert.deepEqual([later.submissions, later.guest_scores], [1, 1]);
    assert.equal((await removed({ to, player: 'ada', version: 1 })).submissions, 1);
    assert.deepEqual(await standing('points'), []);
  });

  it('leaves the sandbox unchanged unless the request names it', async () => {
    await arena.score('points', 'ada', 5);
    await arena.score('points', 'ada', 5, { sandbox: true });
    assert.equal((await removed({ player: 'ada', sandbox: true })).submissions, 1);
    assert.deepEqual(await standing('points'), ['ada 5']);
    assert.equal((await removed({ player: 'ada' })).submissions, 1);
  });

  it('builds a large ranking again beside the one that is shown, and keeps banned players out', async () => {
    const players = await makePlayers(service, 12);
    const from = new Date(service.clock.now()).toISOString();
    for (const [index, player] of players.entries()) await arena.score('points', player, 100 + index);
    service.clock.advance({ hours: 1 });
    const to = new Date(service.clock.now()).toISOString();
    for (const [index, player] of players.entries()) await arena.score('points', player, index);
    const [banned = '', ...others] = players;
    await arena.creator.call('POST', `/api/spaces/${arena.slug}/bans`, { handle: banned });
    const { boards } = await removed({ from, to });
    assert.deepEqual(
      boards.map(({ ranked }: { ranked: string }) => ranked),
      ['soon'],
    );
    await arena.score('points', others[0] ?? '', 50);
    await service.settle();
    const expected = others.map((player, index) => `${player} ${index + 1}`).reverse();
    const [last] = expected.slice(-1);
    assert.ok(last);
    assert.deepEqual(await standing('points'), [`${others[0]} 50`, ...expected.slice(0, -1)]);
    const again = await removed({ from: to });
    assert.equal(again.submissions, 13);
    await service.settle();
    assert.deepEqual(await standing('points'), []);
  });

  it('can be requested only by the owner, and needs a criterion', async () => {
    const stranger = await service.creator();
    assert.deepEqual(codeOf(await remove({ player: 'ada' }, stranger)), [404, 'not_found']);
    assert.deepEqual(codeOf(await remove({ player: 'ada' }, service.anonymous)), [401, 'unauthorized']);
    assert.deepEqual(codeOf(await remove({ player: 'nobody_at_all' })), [404, 'no_such_player']);
    for (const [body, path] of [
      [{}, ''],
      [{ board: 'points' }, ''],
      [{ dry_run: true, sandbox: true }, ''],
      [{ from: '2026-01-01' }, 'from'],
      [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
      [{ version: 0 }, 'version'],
      [{ version: 2 ** 31 }, 'version'],
      [{ player: 'ada', all: true }, 'all'],
    ] as const) {
      const refused = await remove(body);
      assert.deepEqual(
        [...codeOf(refused), refused.json().issues?.[0].path],
        [422, 'invalid', path],
        JSON.stringify(body),
      );
    }
    assert.equal((await removed({ player: 'ada', board: 'nowhere' })).submissions, 0);
  });
});
