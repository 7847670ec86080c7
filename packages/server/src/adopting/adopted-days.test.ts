import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { accountPlayer, guestPlayer } from '../../test/played.ts';
import { playerScores } from '../../test/player-scores.ts';
import { startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';

describe('scores of a guest on boards of days', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [
      { key: 'daily', periods: ['day'] },
      { key: 'both', periods: ['all', 'day'] },
      { key: 'gold', keep: 'sum', periods: ['day'] },
    ]);
  });
  after(() => service.close());

  const { opened, result } = playerScores(() => arena);
  const today = () => new Date(service.clock.now()).toISOString().slice(0, 10);
  const nextDay = () => {
    service.clock.advance({ days: 1 });
    opened.clear();
    return today();
  };
  const scoreOf = async (board: string, handle: string, period: string) =>
    (await arena.entries(board, `?period=${period}`))
      .json()
      .entries.find((entry: { handle: string }) => entry.handle === handle)?.score;

  it('count on the day that they were played, and not on the one of the sign-in', async () => {
    const first = today();
    const guest = guestPlayer(service);
    const who = await accountPlayer(service, 'day_by_day');
    await result(who, 'both', 40);
    await result(guest, 'both', 90);
    await result(guest, 'daily', 9);
    const second = nextDay();
    await result(who, 'both', 20);
    const adopted = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    assert.equal(await scoreOf('both', 'day_by_day', 'all'), 90);
    assert.equal(await scoreOf('both', 'day_by_day', first), 90);
    assert.equal(await scoreOf('both', 'day_by_day', second), 20);
    assert.equal(await scoreOf('daily', 'day_by_day', first), 9);
    assert.equal(await scoreOf('daily', 'day_by_day', second), undefined);
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);
    await arena.putBoards([{ key: 'both', periods: ['day'] }]);
    assert.equal(await scoreOf('both', 'day_by_day', first), 90, 'ranked again');
  });

  it('count on a new day although an earlier one was better', async () => {
    const guest = guestPlayer(service);
    const who = await accountPlayer(service, 'better_before');
    await result(who, 'daily', 100);
    await result(guest, 'daily', 50);
    await result(guest, 'gold', 7);
    const second = nextDay();
    assert.equal((await result(guest, 'daily', 3)).best, 3);
    assert.equal((await result(guest, 'gold', 1)).best, 1);
    assert.equal((await result(guest, 'gold', 1)).best, 2);
    const adopted = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    assert.equal(await scoreOf('daily', 'better_before', second), 3);
    assert.equal(await scoreOf('gold', 'better_before', second), 2);
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);
  });
});
