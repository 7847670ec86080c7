import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type PageServer, proofTag, startPages } from '../../server/test/pages.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { TestDns } from '../../server/test/test-dns.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { isSigned, openReceiver, type Receiver } from '../../server/test/webhook-receiver.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { field, type Look, looks, press, walk } from './walk.ts';

describe('webhooks and the host name of a space, for its creator', () => {
  const dns = new TestDns();
  let service: TestService;
  let browser: Browser;
  let receiver: Receiver;
  let pages: PageServer;
  let creator: Persona;
  let viewer: SignedUp;
  before(async () => {
    [receiver, pages] = await Promise.all([openReceiver(), startPages()]);
    const environment = {
      PUBLISHES_PER_HOUR: '1000',
      FETCH_ALLOW: `${receiver.address},${pages.address}`,
      CUSTOM_DOMAINS: 'on',
    };
    [service, browser] = await Promise.all([startService({ environment, resolver: dns }), openBrowser()]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'mira'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await receiver?.close();
    await pages?.[Symbol.asyncDispose]();
  });

  const { using, manage } = dashboardPages(() => ({ service, browser, creator, viewer, slug: '' }));
  const fresh = async () => (await publishLive(service, creator)).space.slug;

  it('webhooks that another tab adds at the same moment stay', async () => {
    const slug = await fresh();
    const theirs = { url: receiver.url('/theirs'), events: ['version.live' as const] };
    await using(
      manage('webhooks', slug),
      async (page) => {
        let isFirst = true;
        await page.route(`**/api/spaces/${slug}/webhooks`, async (route) => {
          if (route.request().method() === 'PUT' && isFirst) {
            isFirst = false;
            await creator.client.putWebhooks({ params: { slug }, body: { webhooks: [theirs] } });
          }
          await route.fallback();
        });
        await press(page, 'Add a webhook…');
        await page.getByLabel('Address').fill(receiver.url('/mine'));
        await press(page, 'Add it');
        await press(page, 'Done');
        await page.getByText(receiver.url('/theirs'), { exact: true }).waitFor();
      },
      /status of 412/u,
    );
    const { webhooks } = await creator.client.readWebhooks({ params: { slug } });
    assert.deepEqual(
      webhooks.map(({ url }) => url),
      [receiver.url('/mine'), theirs.url],
    );
  });

  it('webhooks are added with a key that is shown once, tested, sent again, and removed', async () => {
    const slug = await fresh();
    await using(
      manage('webhooks', slug),
      async (page) => {
        await press(page, 'Add a webhook…');
        await page.getByLabel('Address').fill('http://10.0.0.1/');
        await press(page, 'Add it');
        await page
          .getByText('It must be an http or https address on the public web, at port 80 or 443.')
          .waitFor();
        await page.getByLabel('Address').fill(receiver.url('/hook'));
        await page.getByLabel(/^Operators hold/u).check();
        await press(page, 'Add it');
        const key = await page.getByLabel('Key', { exact: true }).inputValue();
        await press(page, 'Done');
        await page.getByText('version.live, version.refused, space.held').waitFor();

        await press(page, 'Send a test');
        await page.getByText('The test event is on its way.').waitFor();
        await service.settle();
        await press(page, 'Look again');
        await page.getByText('Delivered').waitFor();
        const [got] = receiver.received('/hook');
        assert.ok(got && isSigned(got, key));
        await page.getByRole('button', { name: /^Send again/u }).click();
        await page.waitForFunction(() => document.querySelector('.spinner') === null);
        await service.settle();
        assert.equal(receiver.received('/hook').length, 2);

        await press(page, 'Remove…');
        await press(page, 'Remove it');
        await page.getByText('No webhooks').waitFor();
      },
      /422/u,
    );
    assert.deepEqual((await creator.call('GET', `/api/spaces/${slug}/webhooks`)).json(), { webhooks: [] });
  });

  it('webhooks look right: none, and one that was switched off', async () => {
    const slug = await fresh();
    await walk(browser, {
      name: 'manage-webhooks-empty',
      url: manage('webhooks', slug),
      as: viewer,
      looks: looks.slice(0, 1),
      until: (page) => page.getByText('No webhooks').waitFor(),
    });
    receiver.answer('/gone', (response) => response.writeHead(410).end('<b>Nobody lives here any more.</b>'));
    const webhooks = ['/gone', '/other'].map((path) => ({
      url: receiver.url(path),
      events: ['report.opened'],
    }));
    await creator.call('PUT', `/api/spaces/${slug}/webhooks`, { webhooks });
    await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
    await service.settle();
    await walk(browser, {
      name: 'manage-webhooks',
      url: manage('webhooks', slug),
      as: viewer,
      until: (page) => page.getByText('Nobody lives here').waitFor(),
    });
  });

  const domainOf = async (slug: string) => (await creator.call('GET', `/api/spaces/${slug}/domain`)).json();
  /** Runs `work`, which writes the host name, and waits until the service has stored and checked it. */
  async function writing(page: Page, work: () => Promise<void>): Promise<void> {
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT');
    await work();
    await answer;
    await service.settle();
  }

  it('a host name is set, its records are copied and found, and it is removed', async () => {
    const slug = await fresh();
    await using(
      manage('domain', slug),
      async (page) => {
        const host = field(page, 'Host name');
        for (const [typed, said] of [
          ['', 'Write a name such as games.example.org.'],
          ['https://maker.example/', 'without https:// and without a path'],
          ['printer.local', 'It must be a name on the public web.'],
        ] as const) {
          await host.fill(typed);
          await press(page, 'Set it');
          await page.getByText(said).waitFor();
        }
        await host.fill('Games.Maker.example');
        await writing(page, () => host.press('Enter'));
        await page.getByText(/^There is no TXT record/u).waitFor();

        const record = page.getByRole('region', { name: 'TXT record' });
        const given = await domainOf(slug);
        assert.equal(await field(page, 'Name of the TXT record').inputValue(), given.records[0].name);
        assert.equal(await field(page, 'Value of the TXT record').inputValue(), given.records[0].value);
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await record.getByRole('button', { name: 'Copy' }).last().click();
        await record.getByText('Value of the TXT record copied').waitFor();
        assert.equal(await field(page, 'Value of the CNAME record').inputValue(), given.records[1].value);

        dns.write(given);
        await writing(page, () => press(page, 'Look again'));
        await page.getByText(/^It went live/u).waitFor();
        await page.getByRole('link', { name: 'https://games.maker.example/' }).waitFor();

        await press(page, 'Remove…');
        await page.getByRole('dialog', { name: 'Remove games.maker.example?' }).waitFor();
        await press(page, 'Remove it');
        await page.getByRole('heading', { name: 'Give it a host name' }).waitFor();
      },
      /422/u,
    );
    assert.equal((await domainOf(slug)).error, 'not_found');
  });

  it('a host name is refused with a reason', async () => {
    const slug = await fresh();
    await using(
      manage('domain', slug),
      async (page) => {
        const url = pages.put('/elsewhere', proofTag('mira'));
        const moved = await creator.call('POST', `/api/spaces/${slug}/move`, { url });
        assert.equal(moved.status, 200, moved.text());
        await field(page, 'Host name').fill('one.maker.example');
        await press(page, 'Set it');
        await page.getByText('runs elsewhere, so it cannot have a host name here.').waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'It runs elsewhere' }).waitFor();
      },
      /409/u,
    );
    const other = await fresh();
    const put = (count: number) =>
      creator.call('PUT', `/api/spaces/${other}/domain`, { host: `n${count}.maker.example` });
    for (let count = 0; (await put(count)).status !== 429; count += 1) assert.ok(count < 30);
    await service.settle();
    await using(
      manage('domain', other),
      async (page) => {
        await press(page, 'Look again');
        await page.getByText(/changed too often in this hour\. Try again in \d+ minutes/u).waitFor();
      },
      /429/u,
    );
  });

  it('a host name looks right in every state', async () => {
    const slug = await fresh();
    service.clock.advance({ hours: 2 });
    const url = manage('domain', slug);
    const dark = looks.filter(({ device, scheme }) => device === 'phone' && scheme === 'dark');
    const see = (name: string, text: string | RegExp, of: readonly Look[] = looks.slice(0, 1)) =>
      walk(browser, {
        name: `manage-domain-${name}`,
        url,
        as: viewer,
        looks: of,
        until: (page) => page.getByText(text).waitFor(),
      });
    const later = async (by: { hours?: number; days?: number }) => {
      service.clock.advance(by);
      await service.service.sweep();
      await service.settle();
    };
    await see('empty', 'Give it a host name');
    const host = 'a-rather-long-name-for-a-host.games.maker.example';
    const given = (await creator.call('PUT', `/api/spaces/${slug}/domain`, { host })).json();
    await service.settle();
    await see('waiting', /^There is no TXT record/u, looks);
    dns.write(given);
    await later({ hours: 1 });
    await see('live', /^It went live/u, dark);
    dns.records.delete(`TXT _spaceport.${host}`);
    await later({ hours: 7 });
    await see('lacking', 'Its records are missing.', dark);
    await later({ days: 1 });
    await later({ hours: 1 });
    await later({ days: 8 });
    assert.equal((await domainOf(slug)).state, 'failed');
    await see('over', 'Begin again to get a new TXT record.', dark);
  });
});
