import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page, Route } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { TestDns } from '../../server/test/test-dns.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';

/** The number of the picture that the service is said to take. */
const awaitedTake = 99;

describe('what the dashboard reads again and again', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let viewer: SignedUp;
  before(async () => {
    const environment = { PUBLISHES_PER_HOUR: '1000', CUSTOM_DOMAINS: 'on' };
    [service, browser] = await Promise.all([
      startService({ environment, resolver: new TestDns() }),
      openBrowser(),
    ]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'mira'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { using, manage, toast } = dashboardPages(() => ({ service, browser, creator, viewer, slug: '' }));
  const fresh = async () => (await publishLive(service, creator)).space.slug;

  /** Orders a picture, for which the page reads the space every two seconds. */
  async function takePicture(page: Page): Promise<void> {
    const json = { requested_at: new Date().toISOString(), after_seconds: 0, take: awaitedTake };
    await page.route('**/api/spaces/recapture', (route) => route.fulfill({ status: 202, json }));
    await page.getByRole('button', { name: 'Take a new picture' }).click();
    await page.getByText(`taking picture ${awaitedTake}`).waitFor();
  }
  /** Answers reads of a space. Changes of it go on to the service. */
  const answerReads = (page: Page, slug: string, answer: (route: Route) => Promise<void>) =>
    page.route(`**/api/spaces/${slug}`, (route) =>
      route.request().method() === 'GET' ? answer(route) : route.continue(),
    );

  it('is not shown if the space was changed before the answer came', async () => {
    const slug = await fresh();
    await using(manage('page', slug), async (page) => {
      const read = Promise.withResolvers<void>();
      const saved = Promise.withResolvers<void>();
      const again = Promise.withResolvers<void>();
      let reads = 0;
      await answerReads(page, slug, async (route) => {
        reads += 1;
        if (reads > 1) return again.resolve();
        const response = await route.fetch();
        read.resolve();
        await saved.promise;
        await route.fulfill({ response });
      });
      await takePicture(page);
      await read.promise;
      await page.getByLabel('Title').fill('Saved meanwhile');
      await page.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Saved.');
      saved.resolve();
      // The next read begins when the answer has been taken.
      await again.promise;
      assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Saved meanwhile');
    });
  });

  it('has a picture that comes late', async () => {
    const slug = await fresh();
    await using(
      manage('page', slug),
      async (page) => {
        await page.clock.install();
        let take = 1;
        await answerReads(page, slug, async (route) => {
          const response = await route.fetch();
          const clip = {
            take,
            url: `/${take}.webp`,
            width: 16,
            height: 9,
            taken_at: new Date().toISOString(),
          };
          await route.fulfill({ response, json: { ...(await response.json()), clip } });
        });
        await takePicture(page);
        const late = page.getByText('It takes longer than usual');
        await page.clock.fastForward(121_000);
        await page.clock.runFor(2_000);
        await late.waitFor();
        take = awaitedTake;
        await page.clock.runFor(20_000);
        await late.waitFor({ state: 'detached' });
        await page.getByText(/^Taken /u).waitFor();
      },
      /404/u,
    );
  });

  it('is said to be older, or not what was chosen, if it cannot be read', async () => {
    const slug = await fresh();
    for (const text of ['two', 'three']) {
      const again = { 'index.html': text };
      await publishLive(service, creator, again, { space: slug });
    }
    await using(
      manage('activity', slug),
      async (page) => {
        const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' });
        const failing = async (chosen: RegExp, choose: () => Promise<unknown>) => {
          await page.route(chosen, (route) =>
            route.request().method() === 'GET'
              ? route.fulfill({ status: 500, json: { error: 'failed' } })
              : route.continue(),
          );
          await choose();
          await failure.waitFor();
          await page.unroute(chosen);
          await failure.getByRole('button', { name: 'Try again' }).click();
          await failure.waitFor({ state: 'detached' });
        };
        await failing(/days=90/u, () => page.getByRole('button', { name: '90 days' }).click());
        await page.getByRole('link', { name: 'Versions' }).click();
        await page.getByRole('button', { name: /^Version 3/u }).click();
        await failing(/against=1/u, () => page.getByLabel('Compared with').selectOption('1'));
        await page.getByText('Since version 1').waitFor();
        await page.getByRole('link', { name: 'Boards' }).click();
        await page.getByRole('button', { name: 'Add a stat' }).click();
        await page.getByRole('dialog').getByLabel('Key').fill('jumps');
        await failing(/achievements$/u, () => page.getByRole('button', { name: 'Add it' }).click());
        await page.getByRole('cell', { name: /^jumps/u }).waitFor();
      },
      /500/u,
    );
  });

  it('has the outcome of the check of a host name, also after a read that failed', async () => {
    const slug = await fresh();
    await using(
      manage('domain', slug),
      async (page) => {
        let reads = 0;
        await page.route(`**/api/spaces/${slug}/domain`, async (route) => {
          if (route.request().method() === 'GET') {
            reads += 1;
            return reads === 1 ? route.fulfill({ status: 500, body: 'broken' }) : route.continue();
          }
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), looking: true } });
        });
        await page.getByRole('textbox', { name: 'Host name' }).fill('games.maker.example');
        await page.getByRole('button', { name: 'Set it' }).click();
        await page.getByText('That did not work').waitFor();
        await service.settle();
        await page.getByText(/^There is no TXT record/u).waitFor();
        await page.getByText('That did not work').waitFor({ state: 'detached' });
      },
      /500/u,
    );
  });
});
