import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { mailsTo } from '../../test/visitor.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { givenId } from '../platform/db/ids.ts';
import { listenAndCount } from '../platform/safe-fetch/counting-listener.ts';

describe('deliveries of webhooks', () => {
  let service: TestService;
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({
      environment: {
        FETCH_ALLOW: receiver.address,
        REPORTS_PER_HOUR: '1000',
        WEBHOOK_EVENTS_PER_HOUR: '70',
      },
    });
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  let made = 0;
  /** Makes an owner and a space whose webhook is told of reports, at a path of its own. */
  async function fresh() {
    const owner = await service.creator();
    const { slug } = (await publishLive(service, owner)).space;
    const path = `/hook-${++made}`;
    const url = receiver.url(path);
    const list = `/api/spaces/${slug}/webhooks`;
    const body = { webhooks: [{ url, events: ['report.opened'] }] };
    const { id } = (await owner.call('PUT', list, body)).json().webhooks[0];
    const one = `${list}/${id}`;
    return {
      owner,
      slug,
      path,
      one,
      list,
      body,
      async report() {
        const sent = await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
        assert.equal(sent.status, 202, sent.text());
      },
      deliveries: () => deliveriesOf(owner, one),
      webhook: async () => (await owner.call('GET', list)).json().webhooks[0],
    };
  }
  const deliveriesOf = async (owner: Persona, one: string) =>
    (await owner.call('GET', `${one}/deliveries`)).json().deliveries;
  /** Returns mails with the line breaks of quoted-printable undone. */
  const mails = async ({ handle }: Persona) =>
    (await mailsTo(service, `${handle}@example.org`)).map((mail) =>
      mail.replaceAll('=\r\n', '').replaceAll('=3D', '='),
    );
  const failing = (path: string, status = 500) =>
    receiver.answer(path, (response) => response.writeHead(status).end('not now'));
  const working = (path: string) => receiver.answer(path, (response) => response.writeHead(204).end());

  it('are retried with the same id and a new signature, until they are accepted', async () => {
    const { path, report, deliveries } = await fresh();
    failing(path, 503);
    await report();
    await service.settle();
    let [delivery] = await deliveries();
    assert.deepEqual([delivery.state, delivery.attempts], ['waiting', 1]);
    assert.deepEqual([delivery.answer.status, delivery.answer.body], [503, 'not now']);
    const wait = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.answer.at);
    assert.ok(wait > 4_000 && wait < 60_000, String(wait));
    service.clock.advance({ seconds: 6 });
    await service.settle();
    assert.equal(receiver.received(path).length, 2);
    service.clock.advance({ minutes: 4 });
    await service.settle();
    assert.equal(receiver.received(path).length, 2);
    working(path);
    service.clock.advance({ minutes: 2 });
    await service.settle();
    const got = receiver.received(path);
    assert.equal(got.length, 3);
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-signature'])).size, 3);
    assert.equal(new Set(got.map(({ body }) => body)).size, 1);
    [delivery] = await deliveries();
    assert.deepEqual([delivery.state, delivery.attempts, delivery.next_attempt_at], ['delivered', 3, null]);
    service.clock.advance({ days: 2 });
    await service.settle();
    assert.equal(receiver.received(path).length, 3);
  });

  it('wait during the pause after a failure, which a test by the owner ends', async () => {
    const { owner, path, one, report, deliveries } = await fresh();
    failing(path);
    for (let sent = 0; sent < 3; sent++) {
      await report();
      await service.settle();
    }
    assert.equal(receiver.received(path).length, 1);
    service.clock.advance({ seconds: 2 });
    await service.settle();
    assert.equal(receiver.received(path).length, 2);
    working(path);
    await report();
    await service.settle();
    assert.equal(receiver.received(path).length, 2);
    assert.equal((await owner.call('POST', `${one}/test`)).status, 202);
    await service.settle();
    const states = (await deliveries()).map(({ state }: { state: string }) => state);
    // The two that failed wait for their next attempts.
    assert.deepEqual(states.toSorted(), ['delivered', 'delivered', 'delivered', 'waiting', 'waiting']);
  });

  it('are given up after a day: the webhook is switched off, and its owner is mailed', async () => {
    const { owner, slug, path, list, one, body, report, deliveries, webhook } = await fresh();
    failing(path);
    await report();
    await service.settle();
    service.clock.advance({ minutes: 1 });
    await report();
    let hours = 0;
    for (; (await webhook()).on; hours++) {
      assert.ok(hours < 28, 'it is off after a day');
      service.clock.advance({ hours: 1 });
      await service.settle();
    }
    assert.ok(hours >= 24, String(hours));
    const { off_reason: reason, off_at: offAt } = await webhook();
    assert.equal(reason, 'failing');
    assert.ok(Date.parse(offAt) <= service.clock.now());
    assert.deepEqual(
      (await deliveries()).map(({ state }: { state: string }) => state),
      ['failed', 'failed'],
    );
    const [mail = '', ...more] = await mails(owner);
    assert.deepEqual(more, []);
    assert.match(mail, /Subject: A webhook of Moon Hopper is switched off/u);
    assert.match(mail, /last answer: 500/u);
    for (const part of [receiver.url(path), `/dashboard/${slug}?section=webhooks`])
      assert.ok(mail.includes(part), mail);

    // Events of the time in which the webhook is off are not sent.
    const before = receiver.received(path).length;
    await report();
    await service.settle();
    const [{ id }] = await deliveries();
    assert.deepEqual(codeOf(await owner.call('POST', `${one}/test`)), [409, 'conflict']);
    assert.deepEqual(codeOf(await owner.call('POST', `${one}/deliveries/${id}`)), [409, 'conflict']);
    assert.equal(receiver.received(path).length, before);
    working(path);
    const [again] = (await owner.call('PUT', list, body)).json().webhooks;
    assert.deepEqual([again.on, again.off_reason, again.secret], [true, null, null]);
    const resent = await owner.call('POST', `${one}/deliveries/${id}`);
    assert.deepEqual([resent.status, resent.json().state, resent.json().attempts], [202, 'waiting', 0]);
    await service.settle();
    const [delivery] = await deliveries();
    assert.deepEqual([delivery.id, delivery.state, delivery.attempts], [id, 'delivered', 1]);
    assert.equal(receiver.received(path).at(-1)?.headers['webhook-id'], id);
  });

  it('end at once when the receiver answers that it is gone', async () => {
    const { owner, path, report, webhook, deliveries } = await fresh();
    failing(path, 410);
    await report();
    await service.settle();
    assert.deepEqual([(await webhook()).on, (await webhook()).off_reason], [false, 'gone']);
    const [delivery] = await deliveries();
    assert.deepEqual([delivery.state, delivery.answer.status], ['failed', 410]);
    const [mail = ''] = await mails(owner);
    assert.match(mail, /answered 410/u);
  });

  it('are not sent once their owner is banned', async () => {
    const { owner, path, report } = await fresh();
    const operator = await service.creator(undefined, { operator: true });
    failing(path);
    await report();
    await service.settle();
    const banned = await operator.call('POST', `/api/operator/accounts/${owner.handle}/ban`, { reason: 'x' });
    assert.equal(banned.status, 200, banned.text());
    service.clock.advance({ minutes: 1 });
    await service.settle();
    assert.equal(receiver.received(path).length, 1);
  });

  it('can be requested as a test', async () => {
    const { owner, path, one } = await fresh();
    const sent = await owner.call('POST', `${one}/test`);
    assert.deepEqual([sent.status, sent.json().type, sent.json().answer], [202, 'webhook.test', null]);
    await service.settle();
    assert.deepEqual(
      receiver.received(path).map(({ event }) => [event.type, event.id]),
      [['webhook.test', sent.json().id]],
    );
  });

  it('follow no redirect, and treat no answer and a broken answer as failures', async () => {
    await using other = await listenAndCount((_request, response) => response.end());
    const { path, report, deliveries } = await fresh();
    receiver.answer(path, (response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end(),
    );
    await report();
    await service.settle();
    let [delivery] = await deliveries();
    assert.deepEqual([delivery.state, delivery.answer.status], ['waiting', 307]);
    assert.equal(other.connections(), 0);
    receiver.answer(path, (response) => response.socket?.destroy());
    service.clock.advance({ seconds: 6 });
    await service.settle();
    [delivery] = await deliveries();
    assert.deepEqual([delivery.attempts, delivery.answer.status, delivery.answer.body], [2, null, '']);
  });

  it('store at most a thousand bytes of the answer, without control characters', async () => {
    const { path, report, deliveries } = await fresh();
    receiver.answer(path, (response) => {
      response.write('\u0000\u001b[31m<b>é</b>\n');
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(more));
      };
      more();
    });
    await report();
    await service.settle();
    const [{ state, answer }] = await deliveries();
    assert.deepEqual([state, answer.status], ['delivered', 200]);
    assert.match(answer.body, /^\ufffd\ufffd\[31m<b>é<\/b>\nx+$/u);
    assert.ok(Buffer.byteLength(answer.body.replaceAll('\ufffd', '?')) <= 1_024);
  });

  it('are not delayed by another receiver that does not answer', async () => {
    const slow = await fresh();
    const fast = await fresh();
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    receiver.answer(slow.path, async (response) => {
      asked.resolve();
      await release.promise;
      response.end();
    });
    receiver.answer(fast.path, (response) => {
      response.end();
      arrived.resolve();
    });
    await slow.report();
    await asked.promise;
    await fast.report();
    await arrived.promise;
    assert.equal((await slow.deliveries())[0].answer, null);
    release.resolve();
    await service.settle();
  });

  it('are listed without being sent when there are too many, and only the newest are kept', async () => {
    const { owner, path, one, report, deliveries } = await fresh();
    for (let sent = 0; sent < 72; sent++) await report();
    await service.settle();
    assert.equal(receiver.received(path).length, 70);
    const all = await deliveries();
    assert.equal(all.length, 50);
    const [last, second, third] = all;
    assert.deepEqual([last.state, second.state, third.state], ['limited', 'limited', 'delivered']);
    assert.deepEqual([last.attempts, last.answer, last.next_attempt_at], [0, null, null]);
    for (const what of ['test', `deliveries/${last.id}`]) {
      const refused = await owner.call('POST', `${one}/${what}`);
      assert.deepEqual(codeOf(refused), [429, 'rate_limited'], what);
      assert.ok(Number(refused.headers['retry-after']) > 0);
    }
    service.clock.advance({ hours: 1 });
    assert.equal((await owner.call('POST', `${one}/deliveries/${last.id}`)).status, 202);
    await service.settle();
    assert.equal(receiver.received(path).at(-1)?.event.id, last.id);
    const { db } = service.service.platform.database;
    const id = givenId('whk', one.split('/').at(-1) ?? '');
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .where('webhook_id', '=', id)
      .execute();
    assert.ok(rows.length <= 50, String(rows.length));
  });

  it('are kept for thirty days at most, because events name players', async () => {
    const { report, deliveries } = await fresh();
    await report();
    await service.settle();
    assert.equal((await deliveries()).length, 1);
    service.clock.advance({ days: 31 });
    await service.service.sweep();
    assert.deepEqual(await deliveries(), []);
  });
});
