import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { isSigned, openReceiver, type Receiver } from '../../test/webhook-receiver.ts';

const refusedPage = {
  'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">',
};
const every = ['version.live', 'version.refused', 'space.held', 'report.opened', 'score.record'];

describe('webhooks of a space', () => {
  let service: TestService;
  let receiver: Receiver;
  let owner: Persona;
  let operator: Persona;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({
      environment: {
        FETCH_ALLOW: receiver.address,
        PUBLISHES_PER_HOUR: '1000',
        REPORTS_PER_HOUR: '1000',
        CHECKS_PER_HOUR: '1000',
      },
    });
    owner = await service.creator('mira');
    operator = await service.creator('ops', { operator: true });
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });

  let made = 0;
  /** Makes a live space whose webhook gets these events, at a path of its own. */
  async function fresh(events: readonly string[] = every) {
    const { slug } = (await publishLive(service, owner)).space;
    const path = `/hook-${++made}`;
    const list = `/api/spaces/${slug}/webhooks`;
    const { webhooks } = (
      await owner.call('PUT', list, { webhooks: [{ url: receiver.url(path), events }] })
    ).json();
    return { slug, path, list, webhook: webhooks[0] };
  }
  const types = (path: string) => receiver.received(path).map(({ event }) => event.type);
  const report = (slug: string) =>
    service.anonymous.call('POST', `/api/gallery/${slug}/report`, {
      reason: 'spam',
      message: 'My own words.',
    });

  it('are written only as they were read, if their ETag is named', async () => {
    const { list, path } = await fresh();
    const read = await owner.call('GET', list);
    const etag = String(read.headers.etag);
    const more = [...read.json().webhooks, { url: receiver.url(`${path}-b`), events: every }].map(
      ({ url, events }) => ({ url, events }),
    );
    const put = (webhooks: object[], ifMatch: string) =>
      owner.call('PUT', list, { webhooks }, { 'if-match': ifMatch });
    const added = await put(more, etag);
    assert.equal(added.status, 200, added.text());
    // Another tab read the list before.
    const late = await put([], etag);
    assert.deepEqual(codeOf(late), [412, 'precondition_failed']);
    const now = await owner.call('GET', list);
    assert.equal(now.json().webhooks.length, 2);
    assert.equal(now.headers.etag, added.headers.etag);
    assert.equal((await put([], '*')).status, 200);
    assert.deepEqual((await owner.call('GET', list)).json(), { webhooks: [] });
  });

  it('are written as a list, and the key of a new one is shown once', async () => {
    const { list, webhook } = await fresh();
    const { secret, ...rest } = webhook;
    assert.match(secret, /^whsec_/u);
    assert.deepEqual([rest.on, rest.off_reason, rest.off_at, rest.events], [true, null, null, every]);
    assert.deepEqual((await owner.call('GET', list)).json(), { webhooks: [rest] });

    const other = { url: receiver.url('/other'), events: ['space.held'] };
    const both = await owner.call('PUT', list, {
      webhooks: [other, { url: rest.url, events: ['version.live'] }],
    });
    const [first, second] = both.json().webhooks;
    assert.equal(first.url, other.url);
    assert.match(first.secret, /^whsec_/u);
    assert.notEqual(first.secret, secret);
    assert.deepEqual([second.id, second.secret, second.events], [rest.id, null, ['version.live']]);

    assert.deepEqual((await owner.call('PUT', list, { webhooks: [] })).json(), { webhooks: [] });
    const again = await owner.call('PUT', list, { webhooks: [{ url: rest.url, events: every }] });
    assert.notEqual(again.json().webhooks[0].secret, secret, 'a new one has a new key');
  });

  it('need addresses on the public web, each once, at most five, and known events', async () => {
    const { list } = await fresh();
    const refused = async (webhooks: unknown) => {
      const answer = await owner.call('PUT', list, { webhooks });
      assert.deepEqual(codeOf(answer), [422, 'invalid'], answer.text());
      return answer.json().issues[0].path;
    };
    const events = ['version.live'];
    const { issues } = (
      await owner.call('PUT', list, { webhooks: [{ url: 'https://ci.example.com:8443/', events }] })
    ).json();
    assert.match(issues[0].message, /at port 80 or 443$/u);
    for (const url of [
      'http://localhost/',
      'http://10.0.0.1/',
      'http://127.0.0.1:1/',
      service.baseUrl,
      'https://a:b@example.com/',
      'ftp://example.com/',
      'x',
    ])
      assert.equal(await refused([{ url, events }]), 'webhooks.0.url', url);
    const url = receiver.url('/twice');
    assert.equal(
      await refused([
        { url, events },
        { url: `${url}#part`, events },
      ]),
      'webhooks.1.url',
    );
    const six = Array.from({ length: 6 }, (_, index) => ({ url: receiver.url(`/${index}`), events }));
    assert.equal(await refused(six), 'webhooks');
    assert.equal(await refused([{ url, events: [] }]), 'webhooks.0.events');
    assert.equal(await refused([{ url, events: ['version.live', 'version.live'] }]), 'webhooks.0.events');
    assert.equal(await refused([{ url, events: ['webhook.test'] }]), 'webhooks.0.events.0');
  });

  it('can be read and changed only by their owner', async () => {
    const { slug, list, webhook } = await fresh();
    const stranger = await service.creator();
    const one = `${list}/${webhook.id}`;
    const calls = [
      ['GET', list, undefined],
      ['PUT', list, { webhooks: [] }],
      ['GET', `${one}/deliveries`, undefined],
      ['POST', `${one}/test`, undefined],
      ['POST', `${one}/deliveries/evt_none`, undefined],
    ] as const;
    for (const who of [stranger, operator])
      for (const [method, path, body] of calls)
        assert.deepEqual(codeOf(await who.call(method, path, body)), [404, 'not_found'], `${method} ${path}`);
    const another = (await publishLive(service, owner)).space.slug;
    const elsewhere = one.replace(slug, another);
    assert.deepEqual(codeOf(await owner.call('POST', `${elsewhere}/test`)), [404, 'not_found']);
    assert.deepEqual(codeOf(await owner.call('GET', `${elsewhere}/deliveries`)), [404, 'not_found']);
    assert.deepEqual(codeOf(await owner.call('POST', `${one}/deliveries/evt_none`)), [404, 'not_found']);
  });

  it('receive signed events, with an id and the facts of the event', async () => {
    const { slug, path, list, webhook } = await fresh();
    await publishLive(service, owner, { ...smallGame, 'b.txt': 'b' }, { space: slug });
    await owner.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 1 });
    await publishLive(service, owner, refusedPage, { space: slug });
    await report(slug);
    await operator.call('POST', `/api/operator/spaces/${slug}/hold`, { reason: 'Our own words.' });
    await service.settle();
    const got = receiver.received(path);
    assert.deepEqual(
      got.map(({ event }) => event.type),
      ['version.live', 'version.live', 'version.refused', 'report.opened', 'space.held'],
    );
    for (const one of got) {
      assert.ok(isSigned(one, webhook.secret), one.body);
      assert.ok(!isSigned({ ...one, body: `${one.body} ` }, webhook.secret));
      assert.equal(one.headers['content-type'], 'application/json');
      assert.deepEqual(Object.keys(one.event), ['id', 'type', 'created_at', 'data']);
      assert.equal(one.headers['webhook-id'], one.event.id);
      assert.ok(Math.abs(Number(one.headers['webhook-timestamp']) - service.clock.now() / 1000) < 3_600);
      const page = `${service.baseUrl}/s/${slug}`;
      assert.deepEqual(one.event.data.space, { slug, title: 'Moon Hopper', page });
      assert.ok(one.body.length < 8_192);
      // The texts of operators and reporters are not in events.
      assert.doesNotMatch(one.body, /own words/u);
    }
    const [live, back, refused, reported] = got.map(({ event }) => event.data);
    assert.deepEqual([live.version.number, live.rollback], [2, false]);
    assert.deepEqual([back.version.number, back.rollback], [1, true]);
    assert.deepEqual(
      [refused.version.number, refused.version.status, refused.version.preview],
      [3, 'refused', false],
    );
    assert.ok(refused.reason.length > 0);
    assert.equal(reported.reason, 'spam');

    const { deliveries } = (await owner.call('GET', `${list}/${webhook.id}/deliveries`)).json();
    assert.deepEqual(
      deliveries.map(({ id, type }: { id: string; type: string }) => [id, type]),
      got.map(({ event }) => [event.id, event.type]).reverse(),
    );
    const [newest] = deliveries;
    assert.deepEqual([newest.state, newest.attempts, newest.next_attempt_at], ['delivered', 1, null]);
    assert.deepEqual([newest.answer.status, newest.answer.body], [200, 'ok']);
  });

  it('receive the events that they ask for, and none of previews and other spaces', async () => {
    const { slug, path } = await fresh(['space.held']);
    await publishFiles(owner, { ...smallGame, 'c.txt': 'c' }, { space: slug });
    await publishLive(service, owner, { ...smallGame, 'd.txt': 'd' }, { space: slug });
    await report(slug);
    const other = (await fresh()).slug;
    await operator.call('POST', `/api/operator/spaces/${other}/hold`, { reason: 'x' });
    await service.settle();
    assert.deepEqual(types(path), []);
    await operator.call('POST', `/api/operator/spaces/${slug}/hold`, { reason: 'x' });
    // Holding a space twice sends one event.
    await operator.call('POST', `/api/operator/spaces/${slug}/hold`, { reason: 'x' });
    await service.settle();
    assert.deepEqual(types(path), ['space.held']);
  });

  it('receive no event for a change that was not made', async () => {
    const { slug, path } = await fresh();
    const none = await owner.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 9 });
    assert.deepEqual(hostingCodeOf(none), [404, 'not_found']);
    const same = await owner.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 1 });
    assert.equal(same.status, 200);
    await service.settle();
    assert.deepEqual(types(path), []);
  });

  it('end with their space, and receive nothing after they are taken off the list', async () => {
    const { slug, path, list } = await fresh();
    receiver.answer(path, (response) => response.writeHead(500).end());
    await report(slug);
    await service.settle();
    assert.equal(receiver.received(path).length, 1);
    await owner.call('PUT', list, { webhooks: [] });
    service.clock.advance({ minutes: 1 });
    await service.settle();
    assert.equal(receiver.received(path).length, 1);

    const second = await fresh();
    receiver.answer(second.path, (response) => response.writeHead(500).end());
    await report(second.slug);
    await service.settle();
    await owner.call('DELETE', `/api/spaces/${second.slug}`);
    service.clock.advance({ minutes: 1 });
    await service.settle();
    assert.equal(receiver.received(second.path).length, 1);
    service.clock.advance({ days: 8 });
    await service.service.sweep();
    const { db } = service.service.platform.database;
    const rows = await db
      .selectFrom('webhooks')
      .select('id')
      .where('url', '=', receiver.url(second.path))
      .execute();
    assert.deepEqual(rows, []);
  });
});
