import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Domain } from '@spaceport/contract/domains';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { TestDns } from '../../test/test-dns.ts';

const page = '<!doctype html><title>Moon Hopper</title><h1>Hop</h1>';

describe('a space’s own host name', () => {
  const dns = new TestDns();
  let service: TestService;
  let creator: Persona;
  let pages: PageServer;
  before(async () => {
    pages = await startPages();
    const environment = { CUSTOM_DOMAINS: 'on', TRUST_PROXY: '10.0.0.0/8', FETCH_ALLOW: pages.address };
    service = await startService({ environment, resolver: dns });
    creator = await service.creator('hopper');
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const path = (slug: string) => `/api/spaces/${slug}/domain`;
  const put = (slug: string, host: string, who = creator) => who.call('PUT', path(slug), { host });
  const read = async (slug: string): Promise<Domain> => (await creator.call('GET', path(slug))).json();
  /** Requests a host as a proxy forwards it. This port is used instead of that of https. */
  const at = (host: string, from = '/') => service.get(`http://${host}:${service.port}${from}`);
  const ask = (host: string, headers: Record<string, string> = {}) =>
    service.get(`http://127.0.0.1:${service.port}/internal/domains/ask?domain=${host}`, { headers });

  async function publish(who = creator): Promise<string> {
    return (await publishLive(service, who, { 'index.html': page, 'a.txt': 'a' })).space.slug;
  }
  /** Makes a space whose host is live. */
  async function live(host: string, who = creator): Promise<string> {
    const slug = await publish(who);
    dns.write((await put(slug, host, who)).json());
    await service.settle();
    await put(slug, host, who);
    await service.settle();
    return slug;
  }
  async function later(by: { hours?: number; days?: number; minutes?: number }): Promise<void> {
    service.clock.advance(by);
    await service.service.sweep();
    await service.settle();
  }

  it('serves the space once its DNS records are there, and the proxy’s query confirms it', async () => {
    const slug = await publish();
    const given = (await put(slug, 'Games.Maker.example.')).json();
    assert.equal(given.host, 'games.maker.example');
    assert.deepEqual([given.state, given.looking], ['waiting', true]);
    const target = new URL(service.service.platform.urls.live(slug)).hostname;
    assert.deepEqual(
      given.records.map(({ type, name }: Domain['records'][number]) => [type, name]),
      [
        ['TXT', '_spaceport.games.maker.example'],
        ['CNAME', 'games.maker.example'],
      ],
    );
    assert.equal(given.records[1].value, target);
    await service.settle();
    assert.match((await read(slug)).reason ?? '', /no TXT record/u);
    assert.equal((await at('games.maker.example')).status, 421);
    assert.equal((await ask('games.maker.example')).status, 404);

    dns.records.set('TXT _spaceport.games.maker.example', ['v=other', given.records[0].value]);
    await later({ minutes: 11 });
    assert.match((await read(slug)).reason ?? '', /does not point to/u);
    dns.write(given);
    await later({ minutes: 11 });
    const { since, ...found } = await read(slug);
    const { since: begun, ...waited } = given;
    assert.deepEqual(found, { ...waited, state: 'live', looking: false });
    // It waited for 22 minutes and has just become live: `since` is the time of the present state.
    assert.ok(Date.parse(since) - Date.parse(begun) >= 22 * 60_000, `${begun} ${since}`);
    const shown = await at('GAMES.maker.example');
    assert.equal(shown.status, 200);
    assert.match(shown.text(), /<h1>Hop<\/h1>/u);
    // It has the rules of a space's host, and nothing of the app's.
    assert.match(String(shown.headers['content-security-policy']), /frame-ancestors 'self' /u);
    assert.equal(shown.headers['set-cookie'], undefined);
    assert.equal((await at('games.maker.example', '/api/gallery')).status, 404);
    const post = await service.get(`http://games.maker.example:${service.port}/`, { method: 'POST' });
    assert.equal(post.status, 405);
    // A proxy gets a certificate for it and for nothing else. Forwarded requests may not ask.
    assert.equal((await ask('Games.maker.example')).status, 200);
    for (const host of ['other.maker.example', 'maker.example', '', target])
      assert.equal((await ask(host)).status, 404, host);
    assert.equal((await ask('games.maker.example', { 'x-forwarded-for': '127.0.0.1' })).status, 404);
  });

  it('accepts address records instead of a CNAME, as the apex of a zone needs', async () => {
    const slug = await publish();
    const given: Domain = (await put(slug, 'apex.example')).json();
    dns.records.set('TXT _spaceport.apex.example', [given.records[0]?.value ?? '']);
    dns.records.set(`A ${given.records[1]?.value}`, ['192.0.2.1', '2001:db8::1']);
    dns.records.set('A apex.example', ['192.0.2.1']);
    await service.settle();
    await put(slug, 'apex.example');
    await service.settle();
    assert.equal((await read(slug)).state, 'live');
    dns.records.set('A apex.example', ['192.0.2.1', '198.51.100.7']);
    await later({ hours: 7 });
    assert.match((await read(slug)).reason ?? '', /does not point/u);
  });

  it('stops serving when the space is offline or the name is removed', async () => {
    const slug = await live('gone.example');
    assert.equal((await at('gone.example')).status, 200);
    await creator.call('POST', `/api/spaces/${slug}/offline`);
    assert.equal((await at('gone.example')).status, 410);
    await creator.call('POST', `/api/spaces/${slug}/online`);
    assert.equal((await at('gone.example')).status, 200);
    assert.equal((await creator.call('DELETE', path(slug))).status, 200);
    assert.equal((await at('gone.example')).status, 421);
    assert.deepEqual(codeOf(await creator.call('DELETE', path(slug))), [404, 'not_found']);
    assert.deepEqual(codeOf(await creator.call('GET', path(slug))), [404, 'not_found']);
    // After it is written again it needs another proof: the earlier records do not count.
    await put(slug, 'gone.example');
    await service.settle();
    assert.equal((await read(slug)).state, 'waiting');
  });

  it('stops a day after its DNS records are gone, but not while the DNS is unavailable', async () => {
    const slug = await live('fading.example');
    dns.isAway = true;
    await later({ days: 2 });
    dns.isAway = false;
    assert.equal((await at('fading.example')).status, 200);
    dns.records.delete('TXT _spaceport.fading.example');
    await later({ hours: 7 });
    assert.equal((await at('fading.example')).status, 200);
    await later({ hours: 23 });
    await later({ hours: 2 });
    assert.equal((await at('fading.example')).status, 421);
    assert.equal((await read(slug)).state, 'waiting');
    await later({ days: 8 });
    assert.equal((await read(slug)).state, 'failed');
  });

  it('fails after 7 days without an answer of the DNS, and says so meanwhile', async () => {
    const slug = await publish();
    await put(slug, 'lame.example');
    await service.settle();
    assert.match((await read(slug)).reason ?? '', /no TXT record/u);
    dns.isAway = true;
    await later({ minutes: 11 });
    assert.match((await read(slug)).reason ?? '', /DNS gave no answer/u);
    await later({ days: 6 });
    assert.equal((await read(slug)).state, 'waiting');
    await later({ days: 1 });
    assert.equal((await read(slug)).state, 'failed');
    dns.isAway = false;
  });

  it('stays with its space through a rename, a move, and deletion and restore', async () => {
    const slug = await live('lasting.example');
    const { urls } = service.service.platform;
    const renamed = await creator.call('PATCH', `/api/spaces/${slug}`, { title: 'Sun Hopper' });
    assert.equal(renamed.status, 200, renamed.text());
    assert.equal((await at('lasting.example')).status, 200);
    // A space that runs elsewhere has nothing at either of its names, until it has a version here again.
    const url = pages.put('/moved', proofTag(creator.handle));
    const moved = await creator.call('POST', `/api/spaces/${slug}/move`, { url });
    assert.equal(moved.status, 200, moved.text());
    const there = await service.get(urls.live(slug));
    assert.notEqual(there.status, 200);
    assert.equal((await at('lasting.example')).status, there.status);
    assert.deepEqual(codeOf(await put(slug, 'lasting.example')), [409, 'conflict']);
    assert.equal((await read(slug)).state, 'live');
    await publishLive(service, creator, { 'index.html': page }, { space: slug });
    assert.equal((await at('lasting.example')).status, 200);

    await creator.call('DELETE', `/api/spaces/${slug}`);
    assert.equal((await at('lasting.example')).status, 410);
    await creator.call('POST', `/api/spaces/${slug}/restore`);
    assert.equal((await at('lasting.example')).status, 200);
    await creator.call('DELETE', `/api/spaces/${slug}`);
    // Another space that proves the host gets it, without waiting until the deleted space cannot be restored
    // any more.
    const next = await live('lasting.example');
    assert.equal((await read(next)).state, 'live');
    assert.equal((await at('lasting.example')).status, 200);
    await creator.call('POST', `/api/spaces/${slug}/restore`);
    assert.equal((await read(slug)).state, 'waiting');
    await creator.call('DELETE', `/api/spaces/${next}`);
    await later({ days: 8 });
    assert.equal((await at('lasting.example')).status, 421);
    assert.equal((await ask('lasting.example')).status, 404);
  });

  it('shows nothing while operators hide the space or ban its owner, and is back with them', async () => {
    const maker = await service.creator('outcast');
    const slug = await live('outcast.example', maker);
    const operator = await service.creator('ops', { operator: true });
    const operate = async (path: string) => {
      const answer = await operator.call('POST', `/api/operator/${path}`, { reason: 'Somebody asked.' });
      assert.equal(answer.status, 200, answer.text());
    };
    for (const [of, action, undo, elsewhere] of [
      [`spaces/${slug}`, 'hold', 'release', [409, 'held']],
      [`spaces/${slug}`, 'hide', 'restore', null],
      [`spaces/${slug}`, 'remove', 'restore', [409, 'removed']],
      ['accounts/outcast', 'ban', 'unban', [403, 'forbidden']],
    ] as const) {
      await operate(`${of}/${action}`);
      assert.equal((await at('outcast.example')).status, 410, action);
      if (elsewhere !== null)
        assert.deepEqual(codeOf(await put(slug, 'elsewhere.example', maker)), elsewhere);
      // Its records are still looked at, so that it does not lose its host during a review.
      await later({ hours: 7 });
      await operate(`${of}/${undo}`);
      assert.equal((await at('outcast.example')).status, 200, undo);
    }
  });

  it('is refused without a fault for names with special meaning and of excessive length', async () => {
    const slug = await publish();
    const huge = 'a.'.repeat(10_000);
    const names = ['__proto__', 'constructor', '__proto__.example', 'toString', huge, `${huge}example`];
    for (const name of names) {
      assert.deepEqual(codeOf(await put(slug, name)), [422, 'invalid'], name.slice(0, 20));
      if (name.length < 100) assert.equal((await at(name)).status, 421, name);
      if (name.length < 100) assert.equal((await ask(name)).status, 404, name);
    }
    for (const odd of ['a.'.repeat(4_000), '%00', 'a%00.example', '%F0%9F%8E%AE.example', 'a&domain=b'])
      assert.equal((await ask(odd)).status, 404, odd.slice(0, 20));
    for (const host of [null, 7, ['x.example'], { toString: 'x.example' }])
      assert.deepEqual(codeOf(await creator.call('PUT', path(slug), { host })), [422, 'invalid']);
    for (const who of ['__proto__', 'constructor'])
      assert.deepEqual(codeOf(await put(who, 'x.example')), [404, 'not_found']);
    assert.deepEqual(codeOf(await creator.call('GET', path(slug))), [404, 'not_found']);
  });

  it('belongs to one space: whoever proves ownership gets it from another space', async () => {
    const other = await service.creator('painter');
    const first = await live('contested.example');
    const second = await publish(other);
    const given = (await put(second, 'contested.example', other)).json();
    await service.settle();
    assert.equal((await read(first)).state, 'live');
    assert.equal((await at('contested.example', '/a.txt')).status, 200);
    dns.write(given);
    await put(second, 'contested.example', other);
    await service.settle();
    assert.equal((await other.call('GET', path(second))).json().state, 'live');
    assert.equal((await read(first)).state, 'waiting');
    const { urls } = service.service.platform;
    await other.call('POST', `/api/spaces/${second}/offline`);
    assert.equal((await at('contested.example')).status, 410);
    assert.equal((await service.get(urls.live(first))).status, 200);
  });

  it('is refused for names of the service and for listed spaces', async () => {
    const slug = await publish();
    const app = new URL(service.baseUrl).hostname;
    for (const host of [
      app,
      `x.${service.service.config.PLAY_HOST.split(':')[0]}`,
      '127.0.0.1',
      '*.a.example',
      '',
    ])
      assert.deepEqual(codeOf(await put(slug, host)), [422, 'invalid'], host);
    assert.deepEqual(codeOf(await put('nobodys', 'x.example')), [404, 'not_found']);
    const stranger = await service.creator('stranger');
    assert.deepEqual(codeOf(await put(slug, 'x.example', stranger)), [404, 'not_found']);
    const url = pages.put('/listed', '<title>Elsewhere</title>');
    const listed = await stranger.call('POST', '/api/spaces', {
      url,
      title: 'Elsewhere',
      space_type: 'game',
      devices: ['desktop'],
    });
    assert.equal(listed.status, 201, listed.text());
    const { slug: elsewhere } = listed.json().space ?? listed.json();
    assert.deepEqual(codeOf(await put(elsewhere, 'x.example', stranger)), [409, 'conflict']);
    const busy = await service.creator('busy');
    const many = await publish(busy);
    for (let count = 0; count < 20; count++)
      assert.equal((await put(many, `x${count}.example`, busy)).status, 200);
    assert.deepEqual(codeOf(await put(many, 'more.example', busy)), [429, 'rate_limited']);
    await service.settle();
  });
});
