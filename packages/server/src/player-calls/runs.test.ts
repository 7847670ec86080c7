import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { openPlayedArena, playerScores } from '../../test/player-scores.ts';
import type { TestService } from '../../test/service.ts';

describe('scores that players post under the rules of boards, sessions and runs', () => {
  let service: TestService;
  let arena: Arena;
  let ada: PlayingVisitor;
  let bob: PlayingVisitor;
  before(async () => {
    ({ service, arena, ada, bob } = await openPlayedArena());
  });
  after(() => service.close());

  const { post, result, total, sessionOf, opened } = playerScores(() => arena);
  const db = () => service.service.platform.database.db;

  it('are refused when the board or the limits forbid them', async () => {
    assert.deepEqual(codeOf(await post(ada, 'nowhere', 1)), [404, 'not_found']);
    assert.deepEqual(codeOf(await post(ada, 'trusted', 1)), [403, 'server_board']);
    const low = await post(ada, 'laps', 9);
    assert.deepEqual(codeOf(low), [422, 'invalid']);
    assert.equal(low.json().issues[0].path, 'score');
    for (const body of [
      { score: 2 ** 53 + 2 },
      { score: '1' },
      { meta: 'x'.repeat(1_100) },
      { replay: 'not base64!' },
      { replay: Buffer.alloc(64 * 1024 + 3).toString('base64') },
      { player: 'bob' },
      { sandbox: true },
      { run: 'x' },
    ])
      assert.deepEqual(
        codeOf(
          await ada.post('scores', { session: await sessionOf(ada), board: 'points', score: 1, ...body }),
        ),
        [422, 'invalid'],
        JSON.stringify(body).slice(0, 80),
      );
    const neither = await ada.post('scores', { board: 'points', score: 1 });
    assert.deepEqual([...codeOf(neither), neither.json().issues[0].path], [422, 'invalid', 'session']);
  });

  it('of a run count once, and not before the board’s minimum time', async () => {
    const session = await ada.session(arena.slug);
    assert.deepEqual(codeOf(await post(ada, 'long', 5)), [422, 'run_required']);
    assert.deepEqual(codeOf(await ada.post('runs', { session, board: 'trusted' })), [403, 'server_board']);
    assert.deepEqual(codeOf(await ada.post('runs', { session, board: 'nowhere' })), [404, 'not_found']);
    const { run, seed } = await ada.run(session, 'long');
    assert.match(seed, /^[\w-]{22}$/u);
    assert.notEqual((await ada.run(session, 'long')).seed, seed);
    const soon = await post(ada, 'long', 5, { run });
    assert.deepEqual(codeOf(soon), [422, 'too_soon']);
    assert.deepEqual([soon.json().min_seconds, typeof soon.json().seconds], [30, 'number']);
    service.clock.advance({ seconds: 30 });
    assert.equal((await result(ada, 'long', 5, { run })).rank, 1);
    assert.deepEqual(codeOf(await post(ada, 'long', 6, { run })), [409, 'run_used']);
    await arena.score('long', 'bob', 1);
    assert.equal(await total('long'), 2, 'the secret is bound by none of it');
  });

  it('of a run are accepted once, however many come at once', async () => {
    const session = await ada.session(arena.slug);
    const { run } = await ada.run(session, 'sum');
    const before = (await result(ada, 'sum', 0)).best;
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(ada, 'sum', 1, { run })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every((answer) => answer.status === 200 || answer.json().error === 'run_used'));
    assert.equal((await result(ada, 'sum', 0)).best, before + 1);
  });

  it('of a run that was refused may be sent again', async () => {
    const session = await ada.session(arena.slug);
    const { run } = await ada.run(session, 'laps');
    assert.deepEqual(codeOf(await post(ada, 'laps', 5, { run })), [422, 'invalid']);
    const [refused, taken] = await Promise.all([
      post(ada, 'laps', 5, { run }),
      post(ada, 'laps', 20_000, { run }),
    ]);
    assert.equal(taken.status, 200);
    // Of two requests at once either may come first: then the other one finds the run used.
    assert.ok(refused.status === 422 || codeOf(refused)[1] === 'run_used', refused.text());
    const { submission } = await arena.score('laps', 'bob', 5_000);
    const [own] = await db()
      .selectFrom('submissions')
      .select('id')
      .where('run', 'is not', null)
      .where('id', '<', submission.id)
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    await arena.creator.call('DELETE', `/api/spaces/${arena.slug}/scores/${own?.id}`);
    assert.deepEqual(codeOf(await post(ada, 'laps', 20_000, { run })), [409, 'run_used'], 'deleted or not');
  });

  it('are limited in points per second by the board', async () => {
    const session = await ada.session(arena.slug);
    const { run } = await ada.run(session, 'fast');
    service.clock.advance({ seconds: 5 });
    const over = await post(ada, 'fast', 60, { run });
    assert.deepEqual([...codeOf(over), over.json().issues[0].path], [422, 'invalid', 'score']);
    assert.equal((await post(ada, 'fast', 50, { run })).status, 200);
    assert.deepEqual(codeOf(await post(ada, 'fast', 200, { session })), [422, 'invalid']);
    assert.equal(
      (await post(ada, 'fast', 50, { session })).status,
      200,
      'without a run since the session began',
    );
    await arena.score('fast', 'bob', 1e6);
  });

  it('are accepted only from the player of the session or run', async () => {
    const session = await ada.session(arena.slug);
    const { run } = await ada.run(session, 'points');
    const guest = guestPlayer(service);
    for (const who of [bob, guest])
      for (const posted of [{ session }, { run }])
        assert.deepEqual(codeOf(await who.post('scores', { ...posted, board: 'points', score: 99 })), [
          409,
          'session_over',
        ]);
    assert.deepEqual(codeOf(await bob.post('runs', { session, board: 'points' })), [409, 'session_over']);
    for (const made of ['x', `${session}x`, run, session.replace('.', '..')])
      assert.deepEqual(codeOf(await ada.post('scores', { session: made, board: 'points', score: 99 })), [
        409,
        'session_over',
      ]);
    assert.deepEqual(codeOf(await ada.post('scores', { run: session, board: 'points', score: 99 })), [
      409,
      'session_over',
    ]);
    const elsewhere = await post(ada, 'daily', 1, { run });
    assert.deepEqual([...codeOf(elsewhere), elsewhere.json().issues[0].path], [422, 'invalid', 'board']);
    const other = await makeArena(service, [{ key: 'points' }]);
    const there = await ada.session(other.slug);
    assert.equal((await ada.post('scores', { session: there, board: 'points', score: 99 })).status, 200);
    assert.equal((await other.entries('points')).json().total, 1);
    const { entries } = (await arena.entries('points')).json();
    assert.ok(
      entries.every(({ score }: { score: number }) => score < 99),
      'nothing of that came here',
    );
  });

  it('are refused after the end of the session, and a day after a run began', async () => {
    const session = await ada.session(arena.slug);
    service.clock.advance({ hours: 23 });
    const { run } = await ada.run(session, 'points');
    service.clock.advance({ hours: 2 });
    assert.deepEqual(codeOf(await post(ada, 'points', 1, { session })), [409, 'session_over']);
    assert.deepEqual(codeOf(await ada.post('runs', { session, board: 'points' })), [409, 'session_over']);
    assert.equal((await post(ada, 'points', 1, { run })).status, 200);
    const late = (await ada.run(await ada.session(arena.slug), 'points')).run;
    service.clock.advance({ hours: 25 });
    assert.deepEqual(codeOf(await post(ada, 'points', 1, { run: late })), [409, 'session_over']);
    opened.clear();
  });

  it('of a run that a guest began are posted once by the account that adopted the guest', async () => {
    await arena.putBoards([{ key: 'moved' }]);
    const guest = guestPlayer(service);
    const { run } = await guest.run(await guest.session(arena.slug), 'moved');
    await result(guest, 'points', 1);
    assert.deepEqual(codeOf(await ada.post('scores', { run, board: 'moved', score: 5 })), [
      409,
      'session_over',
    ]);
    const adopted = await ada.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    assert.deepEqual(codeOf(await guest.post('scores', { run, board: 'moved', score: 5 })), [
      401,
      'unauthorized',
    ]);
    assert.deepEqual(codeOf(await bob.post('scores', { run, board: 'moved', score: 5 })), [
      409,
      'session_over',
    ]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ada.post('scores', { run, board: 'moved', score: 5 })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409]);
    assert.equal(await total('moved'), 1);
  });
});
