import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keptDeliveries } from '@spaceport/contract/webhook-events';
import { askUntil } from '../../test/ask-until.ts';
import { publishLive } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';

describe('two webhooks that are told the same events', () => {
  let service: TestService;
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({
      environment: { FETCH_ALLOW: receiver.address, REPORTS_PER_HOUR: '1000' },
    });
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  type Which = 'first' | 'second';
  let made = 0;
  /** Makes a space with two webhooks, `first` and `second`. */
  async function fresh() {
    const owner = await service.creator();
    const { slug } = (await publishLive(service, owner)).space;
    const list = `/api/spaces/${slug}/webhooks`;
    const paths = { first: `/first-${++made}`, second: `/second-${made}` };
    const put = async (which: readonly Which[], events = ['report.opened']) => {
      const wanted = which.map((each) => ({ url: receiver.url(paths[each]), events }));
      const answer = await owner.call('PUT', list, { webhooks: wanted });
      assert.equal(answer.status, 200, answer.text());
      return answer.json().webhooks.map(({ id }: { id: string }) => id);
    };
    const [first, second]: string[] = await put(['first', 'second']);
    const ids = { first, second };
    const webhooks = async (): Promise<{ on: boolean }[]> => (await owner.call('GET', list)).json().webhooks;
    const deliveries = async (which: Which): Promise<{ id: string; state: string }[]> =>
      (await owner.call('GET', `${list}/${ids[which]}/deliveries`)).json().deliveries;
    return {
      deliveries,
      put,
      async report() {
        const sent = await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
        assert.equal(sent.status, 202, sent.text());
      },
      answers: (which: Which, status: number) =>
        receiver.answer(paths[which], (response) => response.writeHead(status).end()),
      path: (which: Which) => paths[which],
      received: (which: Which) => receiver.received(paths[which]).map(({ event }) => event.id as string),
      states: async (which: Which) => (await deliveries(which)).map(({ state }) => state),
      webhooks,
      on: async () => (await webhooks()).map(({ on }) => on),
      sendTest: (which: Which) => owner.call('POST', `${list}/${ids[which]}/test`),
      sendAgain: (which: Which, id: string) => owner.call('POST', `${list}/${ids[which]}/deliveries/${id}`),
    };
  }

  it('get each event once, also if one of them fails and the events are of one moment', async () => {
    const { report, answers, received, states } = await fresh();
    answers('first', 500);
    await service.clock.standing(async () => {
      await report();
      await report();
    });
    await service.settle();
    assert.deepEqual(await states('second'), ['delivered', 'delivered']);
    assert.equal(new Set(received('second')).size, 2);
    assert.deepEqual(await states('first'), ['waiting', 'waiting']);
    answers('first', 204);
    service.clock.advance({ minutes: 10 });
    await service.settle();
    assert.deepEqual(await states('first'), ['delivered', 'delivered']);
    assert.deepEqual([...new Set(received('first'))].toSorted(), received('second').toSorted());
    assert.equal(received('second').length, 2);
  });

  it('pause each alone', async () => {
    const { report, path, received, states } = await fresh();
    const release = Promise.withResolvers<void>();
    receiver.answer(path('first'), async (response) => {
      await release.promise;
      response.writeHead(500).end();
    });
    await service.clock.standing(async () => {
      await report();
      // The first one fails when the second one has been answered.
      await askUntil(
        () => states('second'),
        ([state]) => state === 'delivered',
      );
      release.resolve();
      await service.settle();
      for (const sent of [2, 3]) {
        await report();
        await service.settle();
        assert.deepEqual([received('first').length, received('second').length], [1, sent]);
      }
    });
  });

  it('are switched off, and taken off the list, each alone', async () => {
    const elsewhere = await fresh();
    await elsewhere.report();
    await service.settle();
    const { put, report, answers, received, states, on } = await fresh();
    answers('second', 500);
    await report();
    await service.settle();
    answers('first', 410);
    service.clock.advance({ seconds: 1 });
    await report();
    await service.settle();
    assert.deepEqual(await on(), [false, true]);
    assert.deepEqual(await states('first'), ['failed', 'delivered']);
    assert.deepEqual(await states('second'), ['waiting', 'waiting']);
    const untouched = await elsewhere.webhooks();
    await put(['second'], ['report.opened', 'version.live']);
    assert.deepEqual(await states('second'), ['waiting', 'waiting']);
    answers('second', 204);
    service.clock.advance({ minutes: 10 });
    await service.settle();
    assert.deepEqual([await on(), await states('second')], [[true], ['delivered', 'delivered']]);
    assert.equal(received('second').length, 3);
    assert.deepEqual(await elsewhere.webhooks(), untouched);
    for (const which of ['first', 'second'] as const)
      assert.deepEqual(await elsewhere.states(which), ['delivered']);
  });

  it('are sent an event again alone, and not by the answer to an earlier attempt', async () => {
    const { report, path, received, deliveries, states, on, sendAgain } = await fresh();
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer(path('first'), async (response) => {
      arrived.resolve();
      await release.promise;
      response.writeHead(410).end();
    });
    await report();
    await arrived.promise;
    const [delivery] = await deliveries('first');
    assert.ok(delivery);
    service.clock.advance({ seconds: 1 });
    const again = await sendAgain('first', delivery.id);
    assert.equal(again.status, 202, again.text());
    receiver.answer(path('first'), (response) => response.writeHead(204).end());
    release.resolve();
    await service.settle();
    // The attempt had failed, so the webhook pauses.
    service.clock.advance({ seconds: 10 });
    await service.settle();
    assert.deepEqual(await on(), [true, true]);
    for (const which of ['first', 'second'] as const) assert.deepEqual(await states(which), ['delivered']);
    assert.deepEqual([received('first').length, received('second').length], [2, 1]);
  });

  it('lose only their own deliveries, the oldest that do not wait, when they have more than are kept', async () => {
    const { report, answers, path, received, states, sendTest } = await fresh();
    answers('second', 500);
    await report();
    await service.settle();
    const [failing] = received('second');
    const tries = () => received('second').filter((id) => id === failing).length;
    receiver.answer(path('second'), (response, { event }) =>
      response.writeHead(event.id === failing ? 500 : 204).end(),
    );
    for (let sent = 0; sent <= keptDeliveries; sent++) {
      service.clock.advance({ seconds: 1 });
      assert.equal((await sendTest('second')).status, 202);
      await service.settle();
    }
    assert.deepEqual(await states('first'), ['delivered']);
    assert.equal((await states('second')).length, keptDeliveries);
    const before = tries();
    answers('second', 204);
    service.clock.advance({ hours: 1 });
    await service.settle();
    assert.equal(tries(), before + 1);
  });
});
