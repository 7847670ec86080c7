import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('a guest’s request that is sent again', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements({ stats: [{ key: 'jumps', op: 'add' }], achievements: [] });
  });
  after(() => service.close());

  const jump = async (who: PlayingVisitor, key: string, by: number) => {
    const body = { session: await who.session(arena.slug), stat: 'jumps', by };
    const answer = await who.post('stats', body, { 'idempotency-key': key });
    assert.equal(answer.status, 200, answer.text());
    return answer.json().value;
  };

  it('counts once, in another session and by the account that adopted the guest', async () => {
    const [guest, bystander] = [guestPlayer(service), guestPlayer(service)];
    const account = await accountPlayer(service, 'once_only');
    assert.equal(await jump(guest, 'first', 4), 4);
    assert.equal(await jump(bystander, 'first', 7), 7);
    // The answer was lost, so the request is sent again after a load.
    assert.equal(await jump(guest, 'first', 4), 4);
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    assert.equal(await jump(account, 'first', 4), 4);
    assert.equal(await jump(account, 'second', 1), 5);
    assert.equal(await jump(bystander, 'first', 7), 7);
  });

  it('counts once on a board that adds up, also where the guest has nothing but scores', async () => {
    const sums = await makeArena(service, [{ key: 'coins', keep: 'sum' }]);
    const guest = guestPlayer(service);
    const account = await accountPlayer(service, 'collector');
    const unnamed = await accountPlayer(service);
    const collect = async (who: PlayingVisitor, key: string, score: number) => {
      const body = { session: await who.session(sums.slug), board: 'coins', score };
      const answer = await who.post('scores', body, { 'idempotency-key': key });
      assert.equal(answer.status, 200, answer.text());
      return answer.json().best;
    };
    assert.equal(await collect(guest, 'lost', 4), 4);
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    await collect(account, 'lost', 4);
    assert.equal(await collect(account, 'next', 1), 5);

    const other = guestPlayer(service);
    assert.equal(await collect(other, 'lost', 7), 7);
    const waiting = await unnamed.call('POST', '/api/player/adopt', { guest_key: other.key });
    assert.equal(waiting.status, 200, waiting.text());
    await collect(unnamed, 'lost', 7);
    await unnamed.call('POST', '/api/account/handle', { handle: 'later_on' });
    await service.settle();
    assert.equal(await collect(unnamed, 'next', 1), 8);
  });

  it('leaves the account the answers to its own requests with the same key', async () => {
    const guest = guestPlayer(service);
    const account = await accountPlayer(service, 'same_key');
    assert.equal(await jump(account, 'aged', 1), 1);
    service.clock.advance({ days: 2 });
    assert.equal(await jump(account, 'same', 2), 3);
    assert.equal(await jump(guest, 'same', 4), 4);
    assert.equal(await jump(guest, 'aged', 5), 9);
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    assert.equal(await jump(account, 'same', 2), 3);
    // The account's own answer is of the day before yesterday.
    assert.equal(await jump(account, 'aged', 5), 9);
    // The guest's nine jumps are added to the account's three.
    assert.equal(await jump(account, 'new', 1), 13);
  });
});
