import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { makeArena } from '../../test/arena.ts';
import { listing, publishLive } from '../../test/files.ts';
import { type PageServer, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { mailsTo, type SignedUp, signUp, visitor } from '../../test/visitor.ts';
import { createTokens } from '../accounts/tokens.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';
import type { PlayerId } from '../platform/db/ids.ts';

describe('an account that its owner deletes', () => {
  let service: TestService;
  let operator: Persona;
  let pages: PageServer;
  before(async () => {
    pages = await startPages();
    service = await startService({
      environment: { SIGN_UPS_PER_HOUR: '1000', SIGN_INS_PER_HOUR: '1000', FETCH_ALLOW: pages.address },
    });
    operator = await service.creator('ops', { operator: true });
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const remove = (who: SignedUp, body: object = { password: who.password }) =>
    who.call('DELETE', '/api/account', body);
  const idOf = async (email: string) =>
    (
      await service.service.platform.database.db
        .selectFrom('creators')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).id;
  const counted = async (
    table: 'submissions' | 'board_players' | 'unlocks' | 'player_stats' | 'entries' | 'bans',
    player: PlayerId,
  ) => {
    const rows = await service.service.platform.database.db
      .selectFrom(table as 'submissions')
      .select('player_id')
      .where('player_id', '=', player)
      .execute();
    return rows.length;
  };

  it('is deleted with its spaces, its scores and all its data', async () => {
    const who = await signUp(service, { handle: 'leaver' });
    const id = await idOf(who.email);
    const tokens = createTokens(service.service.platform);
    const { token } = await tokens.issue(id, { name: 'test' });
    tokens.close();
    const client = { ...service.anonymous, handle: 'leaver', token };
    const own = await publishLive(service, {
      ...client,
      client: (await import('@spaceport/client/client')).createClient({
        baseUrl: service.baseUrl,
        token,
        retry: false,
      }),
    });
    const { urls } = service.service.platform;
    const stayer = await idOf(`${(await service.creator('stayer')).handle}@example.org`);
    const makePlain = () => makeArena(service, [{ key: 'points' }]);
    const bannedFrom = await makePlain();
    const arenas = [await makePlain(), await makePlain(), bannedFrom];
    for (const arena of arenas) {
      await arena.putAchievements({ stats: [{ key: 'hops' }], achievements: [{ key: 'first' }] });
      for (const player of ['leaver', 'stayer']) {
        await arena.score('points', player, player === 'leaver' ? 9 : 5);
        for (const [path, body] of [
          ['stats', { stat: 'hops', player, value: 1 }],
          ['achievements', { achievement: 'first', player }],
        ] as const)
          assert.equal((await arena.call('POST', `/api/v1/${path}`, body)).status, 200);
      }
    }
    const unplayed = await makePlain();
    for (const [arena, handle] of [
      [unplayed, 'leaver'],
      [unplayed, 'stayer'],
      [bannedFrom, 'leaver'],
    ] as const) {
      const ban = await arena.creator.call('POST', `/api/spaces/${arena.slug}/bans`, { handle });
      assert.equal(ban.status, 200, ban.text());
    }
    const withToken = (path: string) =>
      service.anonymous.call('GET', path, undefined, { authorization: `Bearer ${token}` });
    assert.equal((await withToken('/api/spaces')).status, 200);

    const wrong = await remove(who, { password: 'not my password' });
    assert.deepEqual([...codeOf(wrong), wrong.json().issues[0].path], [422, 'invalid', 'password']);
    const removed = await remove(who);
    assert.deepEqual([removed.status, removed.json()], [200, { deleted: true }]);

    for (const url of [urls.page(own.space.slug), urls.live(own.space.slug)])
      assert.equal((await service.get(url)).status, 410);
    assert.equal((await service.get(`${service.baseUrl}/@leaver`)).status, 404);
    assert.deepEqual(codeOf(await withToken('/api/spaces')), [401, 'unauthorized']);
    assert.equal((await who.call('GET', '/api/account')).json().account, null);
    const { email, password } = who;
    const again = await visitor(service).call('POST', '/api/account/sign-in', { email, password });
    assert.deepEqual(codeOf(again), [401, 'unauthorized']);
    assert.match((await mailsTo(service, email)).at(-1) ?? '', /Your account was deleted/u);
    for (const arena of arenas) {
      const late = await arena.post({ board: 'points', player: 'leaver', score: 99 });
      assert.deepEqual(codeOf(late), [404, 'no_such_player']);
    }

    await service.settle();
    for (const { slug, entries: read } of arenas) {
      const { entries, total } = (await read('points')).json();
      assert.deepEqual([total, entries.map(({ handle }: { handle: string }) => handle)], [1, ['stayer']]);
      const { achievements } = (await service.anonymous.call('GET', `/api/gallery/${slug}`)).json();
      assert.deepEqual(
        achievements.map(({ key, unlocks }: { key: string; unlocks: number }) => [key, unlocks]),
        [['first', 1]],
      );
    }
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);
    for (const [table, kept] of [
      ['submissions', 3],
      ['board_players', 3],
      ['unlocks', 3],
      ['player_stats', 3],
      ['entries', 3],
      ['bans', 1],
    ] as const)
      assert.deepEqual([await counted(table, id), await counted(table, stayer)], [0, kept], table);

    // The handle stays taken, even after the account's row is deleted; the address can sign up again.
    const spent = async () => {
      const next = await signUp(service);
      const { problem } = (await next.call('GET', '/api/account/handle?handle=leaver')).json();
      assert.equal(problem, 'is taken');
      assert.deepEqual(codeOf(await next.call('POST', '/api/account/handle', { handle: 'Leaver' })), [
        422,
        'invalid',
      ]);
    };
    await spent();
    await assert.rejects(service.creator('leaver'), /taken/u);
    service.clock.advance({ days: 8 });
    await service.settle();
    await service.service.sweep();
    const left = await service.service.platform.database.db
      .selectFrom('creators')
      .select('id')
      .where('id', '=', id)
      .execute();
    assert.deepEqual(left, []);
    await spent();
    assert.ok(await signUp(service, { email }));
  });

  it('needs the password, or a session that has just begun', async () => {
    const who = await signUp(service, { handle: 'waverer' });
    service.clock.advance({ minutes: 6 });
    const old = await remove(who, {});
    assert.deepEqual([...codeOf(old), old.json().issues[0].path], [422, 'invalid', 'password']);
    assert.deepEqual(codeOf(await service.anonymous.call('DELETE', '/api/account', {})), [
      401,
      'unauthorized',
    ]);
    const fresh = await signUp(service);
    // Sessions use the real clock, which is behind that of the test.
    await service.service.platform.database.db
      .updateTable('auth_sessions')
      .set({ created_at: service.clock.now() })
      .where('creator_id', '=', await idOf(fresh.email))
      .execute();
    assert.equal((await remove(fresh, {})).status, 200);
  });

  it('leaves the addresses of its listed pages to others, also to whoever comes back', async () => {
    const url = pages.put('/pong', '<title>Pong</title>');
    const list = (who: SignedUp) => who.call('POST', '/api/spaces', { url, ...listing });
    const who = await signUp(service, { handle: 'lister' });
    assert.equal((await list(who)).status, 201);
    assert.equal((await remove(who)).status, 200);
    const again = await list(await signUp(service, { handle: 'lister_again', email: who.email }));
    assert.equal(again.status, 201, again.text());
  });

  it('must not be the only operator', async () => {
    const { db } = service.service.platform.database;
    const boss = await signUp(service, { handle: 'boss' });
    const set = (handle: string, operator: 0 | 1) =>
      db.updateTable('creators').set({ operator }).where('handle', '=', handle).execute();
    await set('boss', 1);
    await set(operator.handle, 0);
    assert.deepEqual(codeOf(await remove(boss)), [409, 'conflict']);
    await set(operator.handle, 1);
    assert.equal((await remove(boss)).status, 200);
  });

  it('is not deleted after too many wrong passwords', async () => {
    const limited = await startService();
    try {
      const who = await signUp(limited);
      let last = 0;
      for (let attempt = 0; attempt < 40 && last !== 429; attempt++)
        last = (await remove(who, { password: `wrong ${attempt}` })).status;
      assert.equal(last, 429);
    } finally {
      await limited.close();
    }
  });
});
