import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createSpace } from '../../server/src/spaces/spaces.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { takenOver, usePage } from './walk.ts';

const total = 150;

/** Playwright's Chromium does not keep pages for Back (`--disable-back-forward-cache`). */
describe('a list that was left', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ({ viewer } = await creatorWithBrowser(service, 'mira'));
    const { database } = service.service.platform;
    const { id } = await database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'mira')
      .executeTakeFirstOrThrow();
    await database.transaction(async (tx) => {
      for (let number = 1; number <= total; number++) {
        const fields = {
          title: `Moon ${number}`,
          space_type: 'game' as const,
          devices: ['desktop' as const],
        };
        const url = `https://games.example/${number}`;
        await createSpace(tx, fields, { owner_id: id, hosted: 0, claimed: 1, url });
      }
    });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (path: string, work: (page: Page) => Promise<void>) =>
    usePage(browser, { url: `${service.baseUrl}${path}`, as: viewer, timeoutMs: 20_000 }, work);
  const items = (page: Page) => page.locator('.spaces > li');
  const untilShown = (page: Page, count: number) =>
    page.waitForFunction((expected) => document.querySelectorAll('.spaces > li').length === expected, count);
  async function showMore(page: Page, count: number): Promise<void> {
    await page.getByRole('link', { name: 'Show more' }).click();
    await untilShown(page, count);
  }
  const topOf = (page: Page) => page.evaluate(() => scrollY);

  for (const path of ['/', '/dashboard'])
    it(`is as long as it was, and at the same place, after Back and after a reload: ${path}`, () =>
      using(path, async (page) => {
        const first = await items(page).count();
        await showMore(page, first + 24);
        await showMore(page, first + 48);
        const card = items(page).nth(first + 40);
        await card.scrollIntoViewIfNeeded();
        const top = await topOf(page);
        assert.ok(top > 1_000);
        await card.getByRole('link').first().click();
        await page.waitForURL(/\/(?:s|dashboard)\/moon-/u);
        await page.goBack();
        await takenOver(page);
        await untilShown(page, first + 48);
        await page.waitForFunction((expected) => scrollY === expected, top);
        await page.reload();
        await untilShown(page, first + 48);
        await page.waitForFunction((expected) => scrollY === expected, top);
      }));

  it('goes on from its beginning in another order, and for a new visit', () =>
    using('/', async (page) => {
      const first = await items(page).count();
      await showMore(page, first + 24);
      await page.getByRole('link', { name: 'Most played' }).click();
      await page.waitForURL('**/?sort=played');
      await takenOver(page);
      assert.equal(await items(page).count(), first);
      await page.getByRole('link', { name: 'Spaceport' }).click();
      await page.waitForURL(`${service.baseUrl}/`);
      await takenOver(page);
      assert.equal(await items(page).count(), first);
      assert.equal(await topOf(page), 0);
    }));
});
