import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { isSigned, openReceiver, type Receiver } from '../../server/test/webhook-receiver.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { looks, press, walk } from './walk.ts';

describe('webhooks of a space, for its creator', () => {
  let service: TestService;
  let browser: Browser;
  let receiver: Receiver;
  let creator: Persona;
  let viewer: SignedUp;
  before(async () => {
    receiver = await openReceiver();
    const environment = { PUBLISHES_PER_HOUR: '1000', FETCH_ALLOW: receiver.address };
    [service, browser] = await Promise.all([startService({ environment }), openBrowser()]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'mira'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await receiver?.close();
  });

  const { using, manage } = dashboardPages(() => ({ service, browser, creator, viewer, slug: '' }));
  const fresh = async () => (await publishLive(service, creator)).space.slug;

  it('are added with a key that is shown once, tested, sent again, and removed', async () => {
    const slug = await fresh();
    await using(
      manage('webhooks', slug),
      async (page) => {
        await press(page, 'Add a webhook…');
        await page.getByLabel('Address').fill('http://10.0.0.1/');
        await press(page, 'Add it');
        await page.getByText('It must be an http or https address on the public web.').waitFor();
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

  it('look right, with none, and with one that was switched off', async () => {
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
});
