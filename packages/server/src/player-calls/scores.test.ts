import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { openPlayedArena, playerScores } from '../../test/player-scores.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('player scores', () => {
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

  it('are ranked at once, and the response names the next player to beat', async () => {
    assert.deepEqual(await result(ada, 'points', 10), {
      rank: 1,
      best: 10,
      improved: true,
      entries: 1,
      next: null,
    });
    assert.deepEqual(await result(bob, 'points', 7), {
      rank: 2,
      best: 7,
      improved: true,
      entries: 2,
      next: { handle: 'ada', score: 10 },
    });
    assert.deepEqual(await result(bob, 'points', 3), {
      rank: 2,
      best: 7,
      improved: false,
      entries: 2,
      next: { handle: 'ada', score: 10 },
    });
    const over = await result(bob, 'points', 11);
    assert.deepEqual([over.rank, over.improved, over.next], [1, true, null]);
    const { entries } = (await arena.entries('points')).json();
    assert.deepEqual(
      entries.map(({ rank, handle, score }: Record<string, unknown>) => [rank, handle, score]),
      [
        [1, 'bob', 11],
        [2, 'ada', 10],
      ],
    );
  });

  it('follow the board: ascending, added up, or by day', async () => {
    await result(ada, 'laps', 60_000);
    assert.deepEqual((await result(bob, 'laps', 70_000)).next, { handle: 'ada', score: 60_000 });
    assert.equal((await result(bob, 'laps', 50_000)).rank, 1);
    await result(ada, 'sum', 4);
    const sum = await result(ada, 'sum', 5);
    assert.deepEqual([sum.best, sum.improved], [9, true]);
    await result(ada, 'daily', 9);
    assert.deepEqual((await result(bob, 'daily', 5)).rank, 2);
    service.clock.advance({ days: 1 });
    opened.clear();
    assert.deepEqual(await result(bob, 'daily', 1), {
      rank: 1,
      best: 1,
      improved: true,
      entries: 1,
      next: null,
    });
  });

  it('store the version and environment in which they were played', async () => {
    const session = await ada.session(arena.slug);
    const { run } = await ada.run(session, 'points');
    await result(ada, 'points', 1, { session: undefined, run, meta: { level: 3 } });
    await result(ada, 'points', 2, { session, meta: [1, 'two', null] });
    await arena.score('points', 'ada', 3);
    const rows = await db()
      .selectFrom('submissions')
      .select(['score', 'meta', 'version', 'session', 'run'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    const [server, bySession, byRun] = rows;
    assert.deepEqual([server?.version, server?.session, server?.run], [null, null, null]);
    assert.deepEqual([bySession?.version, bySession?.run], [1, null]);
    assert.equal(bySession?.meta, '[1,"two",null]');
    assert.deepEqual([byRun?.version, byRun?.meta], [1, '{"level":3}']);
    assert.equal(byRun?.session, bySession?.session);
    assert.match(byRun?.run ?? '', /^[\w-]{22}$/u);
  });

  it('of a guest are not ranked, and the response says which rank they would have', async () => {
    await arena.putBoards([{ key: 'open' }]);
    const guest = guestPlayer(service);
    const first = await result(guest, 'open', 5);
    assert.deepEqual(first, { rank: 1, best: 5, improved: true, entries: 0, next: null });
    await result(ada, 'open', 10);
    await result(bob, 'open', 5);
    assert.deepEqual(await result(guest, 'open', 4), {
      rank: 3,
      best: 5,
      improved: false,
      entries: 2,
      next: { handle: 'bob', score: 5 },
    });
    assert.deepEqual(await result(guest, 'open', 7), {
      rank: 2,
      best: 7,
      improved: true,
      entries: 2,
      next: { handle: 'ada', score: 10 },
    });
    assert.equal(await total('open'), 2);
    assert.deepEqual(codeOf(await post(guest, 'trusted', 1)), [403, 'server_board']);
    assert.deepEqual(codeOf(await post(guest, 'nowhere', 1)), [404, 'not_found']);
    assert.deepEqual(codeOf(await post(guest, 'long', 1)), [422, 'run_required']);
    const { run } = await guest.run(await sessionOf(guest), 'open');
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(guest, 'open', 1, { run })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409]);
    await result(guest, 'daily', 100);
    service.clock.advance({ days: 1 });
    opened.clear();
    const today = await result(guest, 'daily', 3);
    assert.deepEqual([today.rank, today.best], [1, 3], 'yesterday is over');
  });

  it('need a player', async () => {
    const nobody = nobodyPlayer(service);
    const session = await nobody.session(arena.slug);
    assert.deepEqual(codeOf(await nobody.post('scores', { session, board: 'points', score: 1 })), [
      403,
      'sign_in_required',
    ]);
    assert.deepEqual(codeOf(await nobody.post('runs', { session, board: 'points' })), [
      403,
      'sign_in_required',
    ]);
  });

  it('are refused after a ban by the creator or an operator', async () => {
    const eve = await accountPlayer(service, 'eve');
    await result(eve, 'points', 5);
    const ban = (method: string) =>
      arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: 'eve' });
    await ban('POST');
    assert.deepEqual(codeOf(await post(eve, 'points', 6)), [403, 'banned']);
    await ban('DELETE');
    await result(eve, 'points', 6);
    const operator = await service.creator(undefined, { operator: true });
    const banned = await operator.call('POST', '/api/operator/accounts/eve/ban', { reason: 'To see.' });
    assert.equal(banned.status, 200, banned.text());
    assert.deepEqual(
      codeOf(await post(eve, 'points', 7)),
      [403, 'sign_in_required'],
      'signed out everywhere',
    );
  });

  it('are refused while the space is covered', async () => {
    const own = await makeArena(service, [{ key: 'points' }]);
    const operator = await service.creator(undefined, { operator: true });
    const session = await ada.session(own.slug);
    const guest = guestPlayer(service);
    const guests = await guest.session(own.slug);
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${own.slug}/${action}`, { reason: 'To see.' });
    const send = () =>
      Promise.all([
        ada.post('scores', { session, board: 'points', score: 1 }),
        guest.post('scores', { session: guests, board: 'points', score: 1 }),
      ]);
    assert.equal((await act('hold')).status, 200);
    for (const answer of await send()) assert.deepEqual(codeOf(answer), [409, 'space_unavailable']);
    assert.equal((await act('release')).status, 200);
    for (const answer of await send()) assert.equal(answer.status, 200, answer.text());
    assert.equal((await own.creator.call('DELETE', `/api/spaces/${own.slug}`)).status, 200);
    for (const answer of await send()) assert.deepEqual(codeOf(answer), [404, 'not_found']);
  });

  it('of a preview go to the sandbox, and nowhere else', async () => {
    const { previewUrl } = await publishFiles(arena.creator, smallGame, {
      space: arena.slug,
      boards: [{ key: 'points' }, { key: 'tried' }],
    });
    const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
    const before = await total('points');
    const eve = await accountPlayer(service, 'trier');
    const session = await eve.session(label, 2);
    for (const board of ['points', 'tried'])
      assert.equal((await eve.post('scores', { session, board, score: 1e9 })).json().rank, 1, board);
    assert.equal(await total('points'), before);
    const live = await eve.session(arena.slug);
    assert.deepEqual(codeOf(await eve.post('scores', { session: live, board: 'tried', score: 1 })), [
      404,
      'not_found',
    ]);
    const read = async (space: string) =>
      (await eve.call('GET', `/api/player/scores?space=${space}&board=points`)).json();
    assert.deepEqual(
      (await read(label)).entries.map(({ handle, you }: Record<string, unknown>) => [handle, you]),
      [['trier', true]],
    );
    assert.equal((await read(arena.slug)).total, before);
  });

  it('with an idempotency key are posted once', async () => {
    const key = { 'idempotency-key': 'once' };
    for (const who of [bob, guestPlayer(service)]) {
      const body = { session: await sessionOf(who), board: 'sum', score: 3 };
      const [first, again] = [await who.post('scores', body, key), await who.post('scores', body, key)];
      assert.deepEqual([again.status, again.text()], [200, first.text()]);
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.deepEqual(codeOf(await who.post('scores', { ...body, score: 4 }, key)), [409, 'conflict']);
    }
    const run = (await bob.run(await sessionOf(bob), 'sum')).run;
    const body = { run, board: 'sum', score: 1 };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bob.post('scores', body, { 'idempotency-key': 'run once' })),
    );
    assert.deepEqual(new Set(answers.map((answer) => answer.text())).size, 1, 'one answer, and not run_used');
    const wrong = await bob.post('scores', body, { 'idempotency-key': '\u00e9' });
    assert.deepEqual(codeOf(wrong), [422, 'invalid']);
  });

  it('that arrive together are ranked as if they came one after the other', async () => {
    await arena.putBoards([{ key: 'crowd' }]);
    const players = await Promise.all(
      Array.from({ length: 12 }, (_, index) => accountPlayer(service, `crowd_${index}`)),
    );
    const guests = Array.from({ length: 6 }, () => guestPlayer(service));
    await Promise.all([...players, ...guests].map((who, index) => result(who, 'crowd', index)));
    const { entries: ranked } = (await arena.entries('crowd', '?limit=100')).json();
    assert.deepEqual(
      ranked.map(({ handle }: { handle: string }) => handle),
      players.map((_, index) => `crowd_${11 - index}`),
    );
  });
});

describe('the limit on player scores', () => {
  it('counts per board and player, and its refusal says when to go on', async () => {
    const service = await startService({ environment: { PLAY_SCORES_PER_MINUTE: '3' } });
    try {
      const arena = await makeArena(service, [{ key: 'points' }, { key: 'others' }]);
      for (const who of [await accountPlayer(service, 'ada'), guestPlayer(service)]) {
        const session = await who.session(arena.slug);
        const post = (board: string) => who.post('scores', { session, board, score: 1 });
        for (let time = 0; time < 3; time++) assert.equal((await post('points')).status, 200);
        const refused = await post('points');
        assert.deepEqual(codeOf(refused), [429, 'rate_limited']);
        const wait = Number(refused.headers['retry-after']);
        assert.ok(wait >= 1 && wait <= 60, String(wait));
        assert.equal((await post('others')).status, 200);
        service.clock.advance({ seconds: wait });
        assert.equal((await post('points')).status, 200);
      }
    } finally {
      await service.close();
    }
  });
});
