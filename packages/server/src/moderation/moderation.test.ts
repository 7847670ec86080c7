import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { changeBan } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';
import '../../test/one-engine.ts';

describe('moderation', () => {
  let service: TestService;
  let arena: Arena;
  let other: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [
      { key: 'points', periods: ['all', 'day'] },
      { key: 'coins', keep: 'sum' },
      { key: 'mood', keep: 'last' },
    ]);
    other = await makeArena(service, [{ key: 'points' }]);
  });
  after(() => service.close());

  const handlesOf = async (board: string, query = '') => {
    const answer = await arena.entries(board, query);
    assert.equal(answer.status, 200, answer.text());
    return answer
      .json()
      .entries.map(({ rank, handle, score }: Record<string, unknown>) => [rank, handle, score]);
  };
  const remove = (id: number | string, by = arena.creator, slug = arena.slug) =>
    by.call('DELETE', `/api/spaces/${slug}/scores/${id}`);
  const bans = (method: string, body?: unknown, by = arena.creator, slug = arena.slug) =>
    by.call(method, `/api/spaces/${slug}/bans`, body);

  describe('deleting a submission', () => {
    it('ranks the player by the remaining ones, in every ranking', async () => {
      const [ann = '', bob = ''] = await makePlayers(service, 2);
      await arena.score('points', ann, 10);
      const best = await arena.score('points', ann, 30);
      await arena.score('points', ann, 20);
      await arena.score('points', bob, 25);
      const deleted = await remove(best.submission.id);
      assert.deepEqual([deleted.status, deleted.json()], [200, { deleted: true }]);
      for (const query of ['', '?period=day'])
        assert.deepEqual(await handlesOf('points', query), [
          [1, bob, 25],
          [2, ann, 20],
        ]);
      assert.deepEqual(codeOf(await remove(best.submission.id)), [404, 'not_found']);
    });

    it('removes a player without another submission from the ranking', async () => {
      const [ann = ''] = await makePlayers(service, 1);
      const only = await arena.score('mood', ann, 1);
      assert.equal((await remove(only.submission.id)).status, 200);
      assert.deepEqual(await handlesOf('mood'), []);
    });

    it('recomputes sums, and restores the previous score', async () => {
      const [ann = ''] = await makePlayers(service, 1);
      for (const board of ['coins', 'mood']) {
        await arena.score(board, ann, 0.1);
        const middle = await arena.score(board, ann, 100);
        const last = await arena.score(board, ann, 0.2);
        await remove(middle.submission.id);
        assert.deepEqual(await handlesOf(board), [[1, ann, board === 'coins' ? 0.1 + 0.2 : 0.2]]);
        await remove(last.submission.id);
        assert.deepEqual(await handlesOf(board), [[1, ann, 0.1]]);
      }
    });

    it('works on the boards of the creator’s own space only, in the sandbox too', async () => {
      const [ann = ''] = await makePlayers(service, 1);
      const live = await arena.score('points', ann, 1);
      const sandbox = await arena.score('points', ann, 1, { sandbox: true });
      const { id } = live.submission;
      assert.deepEqual(codeOf(await remove(id, other.creator)), [404, 'not_found']);
      assert.deepEqual(codeOf(await remove(id, other.creator, other.slug)), [404, 'not_found']);
      assert.equal(
        (await service.anonymous.call('DELETE', `/api/spaces/${arena.slug}/scores/${id}`)).status,
        401,
      );
      for (const submission of [live, sandbox])
        assert.equal((await remove(submission.submission.id)).status, 200);
    });

    it('needs a positive integer as id', async () => {
      for (const id of ['0', '-1', '1.5', 'abc', '99999999999999999999', '%20'])
        assert.deepEqual(codeOf(await remove(id)), [400, 'invalid'], id);
      assert.deepEqual(codeOf(await remove(999_999_999)), [404, 'not_found']);
    });
  });

  describe('banning a player', () => {
    it('removes every entry at once, refuses new ones, and the lift restores them exactly', async () => {
      const [ann = '', bob = ''] = await makePlayers(service, 2);
      await arena.score('coins', ann, 5);
      await arena.score('coins', bob, 3);
      await arena.score('coins', ann, 7, { sandbox: true });
      const whole = (await arena.entries('coins')).text();
      const sandboxPath = `/api/spaces/${arena.slug}/boards/coins/entries?sandbox=true`;
      const sandbox = (await arena.creator.call('GET', sandboxPath)).text();
      const banned = await bans('POST', { handle: `@${ann.toUpperCase()}` });
      assert.deepEqual([banned.status, banned.json()], [200, { banned: true, handle: ann }]);
      assert.equal(
        (await handlesOf('coins')).some(([, handle]: unknown[]) => handle === ann),
        false,
      );
      assert.ok(!(await arena.creator.call('GET', sandboxPath)).text().includes(ann));
      assert.deepEqual(codeOf(await arena.entries('coins', `?around=${ann}`)), [404, 'no_such_player']);
      for (const extra of [{}, { sandbox: true }]) {
        const refused = await arena.post({ board: 'coins', player: ann, score: 1, ...extra });
        assert.deepEqual(codeOf(refused), [403, 'banned']);
      }
      assert.equal((await arena.score('coins', bob, 0)).entries, JSON.parse(whole).total - 1);
      const elsewhere = await other.post({ board: 'points', player: ann, score: 1 });
      assert.equal(elsewhere.status, 201, 'a ban is of one space');
      const lifted = await bans('DELETE', { handle: ann });
      assert.deepEqual([lifted.status, lifted.json()], [200, { banned: false, handle: ann }]);
      const rows = (text: string) =>
        JSON.parse(text).entries.filter(({ handle }: { handle: string }) => handle === ann);
      assert.deepEqual(rows((await arena.entries('coins')).text()), rows(whole));
      assert.equal((await arena.creator.call('GET', sandboxPath)).text(), sandbox);
      assert.equal((await arena.score('coins', ann, 1)).best, 6);
    });

    it('is listed, the newest first, and happens once', async () => {
      const [ann = '', bob = ''] = await makePlayers(service, 2);
      await bans('POST', { handle: ann });
      service.clock.advance({ minutes: 1 });
      await bans('POST', { handle: bob });
      const list = (await bans('GET')).json().bans;
      assert.deepEqual(
        list.map(({ handle }: { handle: string }) => handle),
        [bob, ann],
      );
      service.clock.advance({ minutes: 1 });
      assert.equal((await bans('POST', { handle: ann })).status, 200);
      assert.deepEqual((await bans('GET')).json().bans, list);
      const elsewhere = () => bans('GET', undefined, other.creator, other.slug);
      assert.equal((await bans('POST', { handle: ann }, other.creator, other.slug)).status, 200);
      const listed = (await elsewhere()).json().bans;
      assert.equal(listed.length, 1);
      for (const [handle, left] of [
        [ann, list.slice(0, 1)],
        [bob, []],
        [ann, []],
      ] as const) {
        assert.deepEqual((await bans('DELETE', { handle })).json(), { banned: false, handle });
        assert.deepEqual((await bans('GET')).json(), { bans: left });
      }
      assert.deepEqual((await elsewhere()).json().bans, listed);
    });

    it('takes the player out of the counts of achievements once, however often it is repeated', async () => {
      const [ann = '', bob = ''] = await makePlayers(service, 2);
      await arena.putAchievements({ achievements: [{ key: 'first' }] });
      for (const player of [ann, bob]) {
        const unlock = await arena.call('POST', '/api/v1/achievements', { achievement: 'first', player });
        assert.equal(unlock.status, 200, unlock.text());
      }
      const counted = async () =>
        (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`)).json().achievements[0].unlocks;
      for (const [method, count] of [
        ['POST', 1],
        ['DELETE', 2],
      ] as const)
        for (const _ of ['done', 'done already']) {
          assert.equal((await bans(method, { handle: ann })).status, 200);
          assert.equal(await counted(), count, method);
        }
    });

    it('keeps the banned player out when submissions are deleted', async () => {
      const [ann = ''] = await makePlayers(service, 1);
      const low = await arena.score('points', ann, 1);
      const high = await arena.score('points', ann, 99_999);
      await bans('POST', { handle: ann });
      await remove(high.submission.id);
      assert.ok(!(await arena.entries('points', '?limit=100')).text().includes(ann));
      await bans('DELETE', { handle: ann });
      const entry = (await arena.entries('points', `?around=${ann}`))
        .json()
        .entries.find(({ handle }: { handle: string }) => handle === ann);
      assert.equal(entry.submission, low.submission.id);
    });

    it('is refused for unknown players, for the caller, and in another’s space', async () => {
      const [ann = ''] = await makePlayers(service, 1);
      for (const method of ['POST', 'DELETE']) {
        assert.deepEqual(codeOf(await bans(method, { handle: 'nobody_at_all' })), [404, 'no_such_player']);
        const own = await bans(method, { handle: arena.creator.handle });
        assert.deepEqual(codeOf(own), [422, 'invalid']);
        assert.equal(own.json().issues[0].path, 'handle');
        for (const body of [{}, { handle: 1 }, { handle: 'a b' }, { handle: ann, more: 1 }, '{', []])
          assert.deepEqual(codeOf(await bans(method, body)), [422, 'invalid'], JSON.stringify(body));
        assert.deepEqual(codeOf(await bans(method, { handle: ann }, other.creator)), [404, 'not_found']);
      }
      assert.deepEqual(codeOf(await bans('GET', undefined, other.creator)), [404, 'not_found']);
      const nobody = await service.anonymous.call('GET', `/api/spaces/${arena.slug}/bans`);
      assert.deepEqual(codeOf(nobody), [401, 'unauthorized']);
    });
  });

  it('is refused to an account that is banned from the service, which cannot read the list either', async () => {
    const own = await makeArena(service, [{ key: 'points' }]);
    const [ann = ''] = await makePlayers(service, 1);
    const { submission } = await own.score('points', ann, 1);
    await changeBan(service.service.platform, own.creator.handle, {
      banned: true,
      reason: null,
      by: machineActor,
    });
    assert.deepEqual(codeOf(await remove(submission.id, own.creator, own.slug)), [403, 'forbidden']);
    for (const method of ['POST', 'DELETE'])
      assert.deepEqual(codeOf(await bans(method, { handle: ann }, own.creator, own.slug)), [
        403,
        'forbidden',
      ]);
    assert.match((await bans('GET', undefined, own.creator, own.slug)).text(), /banned/u);
    assert.deepEqual(codeOf(await own.entries('points')), [404, 'not_found']);
  });
});
