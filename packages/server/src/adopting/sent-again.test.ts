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
