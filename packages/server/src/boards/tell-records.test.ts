import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';

describe('webhooks of new records', () => {
  let service: TestService;
  let receiver: Receiver;
  let ann: string;
  let bob: string;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({ environment: { FETCH_ALLOW: receiver.address } });
    [ann = '', bob = ''] = await makePlayers(service, 2);
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  let made = 0;
  /** Makes a space whose webhook is told of records. */
  async function fresh(
    boards: Parameters<typeof makeArena>[1],
  ): Promise<{ arena: Arena; told(): unknown[] }> {
    const arena = await makeArena(service, boards);
    const path = `/records-${++made}`;
    const webhooks = [{ url: receiver.url(path), events: ['score.record'] }];
    const put = await arena.creator.call('PUT', `/api/spaces/${arena.slug}/webhooks`, { webhooks });
    assert.equal(put.status, 200, put.text());
    const told = () =>
      receiver.received(path).map(({ event: { data } }) => [data.board.key, data.player, data.score]);
    return { arena, told };
  }

  it('are sent for a new first place of all time, and for no other score', async () => {
    const { arena, told } = await fresh([{ key: 'points' }, { key: 'laps', metric: 'time' }]);
    await arena.score('points', ann, 10);
    await arena.score('points', bob, 5);
    await arena.score('laps', bob, 70);
    await service.settle();
    assert.deepEqual(told(), [
      ['points', ann, 10],
      ['laps', bob, 70],
    ]);
    service.clock.advance({ minutes: 2 });
    await arena.score('points', bob, 9);
    await arena.score('laps', bob, 80);
    await arena.score('points', ann, 10);
    await service.settle();
    assert.equal(told().length, 2);
    await arena.score('laps', bob, 60);
    await service.settle();
    assert.deepEqual(told().at(-1), ['laps', bob, 60]);
  });

  it('are sent at most once a minute for a board, with the latest record', async () => {
    const { arena, told } = await fresh([{ key: 'points' }]);
    await arena.score('points', ann, 1);
    for (const score of [2, 3, 4]) await arena.score('points', score % 2 === 0 ? bob : ann, score);
    await service.settle();
    assert.deepEqual(told(), [['points', ann, 1]]);
    service.clock.advance({ seconds: 61 });
    await service.settle();
    assert.deepEqual(told(), [
      ['points', ann, 1],
      ['points', bob, 4],
    ]);
    service.clock.advance({ minutes: 5 });
    await service.settle();
    assert.equal(told().length, 2);
  });

  it('are not sent for the sandbox, for boards without all time, or for a first place after a ban', async () => {
    const { arena, told } = await fresh([{ key: 'points' }, { key: 'daily', periods: ['day'] }]);
    await arena.score('points', ann, 1, { sandbox: true });
    await arena.score('daily', ann, 1);
    await service.settle();
    assert.deepEqual(told(), []);
    await arena.score('points', ann, 5);
    await arena.score('points', bob, 6);
    const ban = await arena.creator.call('POST', `/api/spaces/${arena.slug}/bans`, { handle: bob });
    assert.ok(ban.status < 300, ban.text());
    // A delivery whose lease ends while it is under way is made again.
    await service.settle();
    service.clock.advance({ minutes: 2 });
    await service.settle();
    assert.deepEqual(told(), [['points', ann, 5]]);
  });

  it('are sent once for many scores in one call, with the one that is first at the end', async () => {
    const { arena, told } = await fresh([{ key: 'points' }]);
    const scores = [3, 8, 5].map((score, index) => ({
      board: 'points',
      player: index === 1 ? bob : ann,
      score,
    }));
    const posted = await arena.post({ scores });
    assert.equal(posted.status, 201, posted.text());
    await service.settle();
    assert.deepEqual(told(), [['points', bob, 8]]);
  });
});
