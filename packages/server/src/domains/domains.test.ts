import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type PageServer, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import type { Domain } from './domains.ts';

const page = '<!doctype html><title>Moon Hopper</title><h1>Hop</h1>';

/** A DNS of the test's own. */
class TestDns {
  readonly records = new Map<string, readonly string[]>();
  isAway = false;
  readonly #ask = (type: string) => async (name: string) => {
    if (this.isAway) throw new Error('SERVFAIL');
    return this.records.get(`${type} ${name}`) ?? [];
  };
  txt = this.#ask('TXT');
  cname = this.#ask('CNAME');
  addresses = this.#ask('A');

  write({ records }: Domain): void {
    for (const { type, name, value } of records) this.records.set(`${type} ${name}`, [value]);
  }
}

describe('a host name of a space’s own', () => {
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
  /** What is at a host, as a proxy hands it on: at the port that stands for https here. */
  const at = (host: string, from = '/') => service.get(`http://${host}:${service.port}${from}`);
  const ask = (host: string, headers: Record<string, string> = {}) =>
    service.get(`http://127.0.0.1:${service.port}/internal/domains/ask?domain=${host}`, { headers });

  async function publish(who = creator): Promise<string> {
    return (await publishLive(service, who, { 'index.html': page, 'a.txt': 'a' })).space.slug;
  }
  /** A space with its host, live. */
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

  it('serves the space once its records are there, and is what a proxy is told of', async () => {
    const slug = await publish();
    const given = (await put(slug, 'Games.Maker.example.')).json();
    assert.equal(given.host, 'games.maker.example');
    assert.equal(given.state, 'waiting');
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
    assert.match((await read(slug)).reason ?? '', /does not lead to/u);
    dns.write(given);
    await later({ minutes: 11 });
    assert.deepEqual(await read(slug), { ...given, state: 'live' });
    const shown = await at('GAMES.maker.example');
    assert.equal(shown.status, 200);
    assert.match(shown.text(), /<h1>Hop<\/h1>/u);
    // It is the host of a space, with its rules, and nothing of the app's.
    assert.match(String(shown.headers['content-security-policy']), /frame-ancestors 'self' /u);
    assert.equal(shown.headers['set-cookie'], undefined);
    assert.equal((await at('games.maker.example', '/api/gallery')).status, 404);
    const post = await service.get(`http://games.maker.example:${service.port}/`, { method: 'POST' });
    assert.equal(post.status, 405);
    // A proxy gets a certificate for it, and for nothing else; nobody asks through one.
    assert.equal((await ask('Games.maker.example')).status, 200);
    for (const host of ['other.maker.example', 'maker.example', '', target])
      assert.equal((await ask(host)).status, 404, host);
    assert.equal((await ask('games.maker.example', { 'x-forwarded-for': '127.0.0.1' })).status, 404);
  });

  it('takes addresses in place of a CNAME, as the top of a zone needs', async () => {
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
    assert.match((await read(slug)).reason ?? '', /does not lead/u);
  });

  it('goes with the space, and with whoever takes it away', async () => {
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
    // Written again it needs another proof: the records of before say nothing.
    await put(slug, 'gone.example');
    await service.settle();
    assert.equal((await read(slug)).state, 'waiting');
  });

  it('is over a day after its records are, and not because the DNS is away', async () => {
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

  it('is one space’s: whoever proves it has it, and nobody keeps it from them', async () => {
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

  it('is refused where it cannot be', async () => {
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
