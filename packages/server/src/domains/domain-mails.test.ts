import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { TestDns } from '../../test/test-dns.ts';
import { mailsTo } from '../../test/visitor.ts';

describe('the owner of a space with a host name of its own', () => {
  const dns = new TestDns();
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { CUSTOM_DOMAINS: 'on' }, resolver: dns });
  });
  after(() => service.close());

  /** Makes a space of somebody new, whose host is live. */
  async function live(name: string): Promise<{ who: Persona; slug: string; host: string }> {
    const who = await service.creator(name);
    const host = `${name}.example`;
    const { slug } = (await publishLive(service, who, { 'index.html': '<title>Moon</title>' })).space;
    for (let look = 0; look < 2; look++) {
      dns.write((await who.call('PUT', `/api/spaces/${slug}/domain`, { host })).json());
      await service.settle();
    }
    return { who, slug, host };
  }
  async function later(by: { hours?: number; minutes?: number }): Promise<void> {
    service.clock.advance(by);
    await service.service.sweep();
    await service.settle();
  }
  const aboutHost = async (name: string) =>
    (await mailsTo(service, `${name}@example.org`)).flatMap(
      (mail) => /^Subject: (.*)\r$/mu.exec(mail)?.[1] ?? [],
    );
  const missing = (host: string) => `DNS records of ${host} are missing`;

  it('is warned when its records are missing, and told when they were missing for a day', async () => {
    const { slug, host } = await live('fading');
    assert.deepEqual(await aboutHost('fading'), []);
    dns.records.delete(`TXT _spaceport.${host}`);
    await later({ hours: 7 });
    await later({ minutes: 11 });
    assert.deepEqual(await aboutHost('fading'), [missing(host)]);
    const [mail = ''] = await mailsTo(service, 'fading@example.org');
    assert.match(mail, /There is no TXT record «spaceport-space=\w+» at _spaceport\.fading\.example/u);
    assert.ok(mail.includes(`${service.service.platform.urls.app}/dashboard/${slug}?section=domain\r\n`));
    await later({ hours: 24 });
    const subjects = await aboutHost('fading');
    assert.deepEqual(subjects.slice(1), [`${await titleOf(slug)} is no longer served at ${host}`]);
  });

  it('is warned once a day while they come and go', async () => {
    const { host } = await live('flapping');
    const records = dns.records.get(`CNAME ${host}`) ?? [];
    const flap = async () => {
      dns.records.delete(`CNAME ${host}`);
      await later({ hours: 7 });
      dns.records.set(`CNAME ${host}`, records);
      await later({ minutes: 11 });
    };
    for (let time = 0; time < 4; time++) await flap();
    assert.deepEqual(await aboutHost('flapping'), [missing(host)]);
    await flap();
    assert.deepEqual(await aboutHost('flapping'), [missing(host), missing(host)]);
  });

  it('is told nothing about a space that it deleted', async () => {
    const { who, slug, host } = await live('dropping');
    await who.call('DELETE', `/api/spaces/${slug}`);
    dns.records.delete(`TXT _spaceport.${host}`);
    await later({ hours: 7 });
    await later({ hours: 25 });
    assert.deepEqual(await aboutHost('dropping'), []);
  });

  const titleOf = async (slug: string) =>
    (await service.anonymous.call('GET', `/api/gallery/${slug}`)).json().title;
});
