import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { playerScores } from '../../test/player-scores.ts';
import { startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';
import { lockAdoptions } from '../guests/guests.ts';

describe('scores of an account that has no handle yet', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [
      { key: 'points' },
      { key: 'gold', keep: 'sum' },
      { key: 'form', max: 10 },
    ]);
  });
  after(() => service.close());

  const { post, result, total } = playerScores(() => arena);
  const platform = () => service.service.platform;
  const choose = async (who: PlayingVisitor, handle: string) => {
    const chosen = await who.call('POST', '/api/account/handle', { handle });
    assert.equal(chosen.status, 200, chosen.text());
  };
  const scoreOf = async (board: string, handle: string) =>
    (await arena.entries(board)).json().entries.find((entry: { handle: string }) => entry.handle === handle)
      ?.score;

  it('are answered as those of a guest are, and are in no ranking', async () => {
    const [who, guest] = [await accountPlayer(service), guestPlayer(service)];
    for (const [board, score] of [
      ['points', 5],
      ['points', 3],
      ['points', 8],
      ['gold', 4],
      ['gold', 4],
    ] as const)
      assert.deepEqual(await result(who, board, score), await result(guest, board, score));
    assert.deepEqual([await total('points'), await total('gold')], [0, 0]);
    assert.deepEqual(codeOf(await post(who, 'form', 11)), [422, 'invalid']);
    assert.deepEqual(codeOf(await post(who, 'nowhere', 11)), [404, 'not_found']);
  });

  it('count once it has one, together with those of the guest that it adopted', async () => {
    const [who, guest] = [await accountPlayer(service), guestPlayer(service)];
    await result(guest, 'gold', 10);
    await result(guest, 'points', 7);
    const adopted = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.json().waiting, 2);
    await result(who, 'points', 6);
    await result(who, 'gold', 1);
    await result(who, 'gold', 2);
    const { run } = await who.run(await who.session(arena.slug), 'points');
    await result(who, 'points', 9, { run });
    assert.deepEqual(codeOf(await post(who, 'points', 99, { run })), [409, 'run_used']);
    await choose(who, 'named_at_last');
    await service.settle();
    assert.deepEqual(
      [await scoreOf('points', 'named_at_last'), await scoreOf('gold', 'named_at_last')],
      [9, 13],
    );
    assert.equal((await result(who, 'gold', 1)).best, 14);
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });

  it('count if the handle is chosen while one is posted', { skip: withoutLockWaits }, async () => {
    const who = await accountPlayer(service);
    await who.session(arena.slug);
    const { database } = platform();
    const { id } = await database.db
      .selectFrom('creators')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .where('handle', 'is', null)
      .executeTakeFirstOrThrow();
    const [posting] = await database.transaction(async (tx) => {
      await lockAdoptions(tx, [id]);
      const under = post(who, 'points', 50);
      await someoneWaits(database.db);
      await choose(who, 'in_between');
      return [under] as const;
    });
    assert.equal((await posting).status, 200);
    await service.settle();
    assert.equal(await scoreOf('points', 'in_between'), 50);
  });

  it('are deleted with everything that it has played', async () => {
    const who = await accountPlayer(service);
    await result(who, 'points', 500);
    const forgotten = await who.call('DELETE', '/api/player/me');
    assert.equal(forgotten.status, 200, forgotten.text());
    await service.settle();
    await choose(who, 'forgotten');
    await service.settle();
    assert.equal(await scoreOf('points', 'forgotten'), undefined);
  });
});
