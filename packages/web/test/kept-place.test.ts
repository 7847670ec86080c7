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

  const using = (path: string, work: (page: Page) => Promise<void>, mayComplain?: RegExp) =>
    usePage(
      browser,
      {
        url: `${service.baseUrl}${path}`,
        as: viewer,
        timeoutMs: 20_000,
        ...(mayComplain && { mayComplain }),
      },
      work,
    );
  /** The cards of a page, or the rows of an operator's list. */
  const each = '.spaces > li, tbody > tr';
  const items = (page: Page) => page.locator(each);
  const untilShown = (page: Page, count: number) =>
    page.waitForFunction(([found, expected]) => document.querySelectorAll(found).length === expected, [
      each,
      count,
    ] as const);
  async function showMore(page: Page, count: number): Promise<void> {
    await page.getByText('Show more', { exact: true }).click();
    await untilShown(page, count);
  }
  const topOf = (page: Page) => page.evaluate(() => scrollY);

  /** To a few pixels: a number in a tab may come later. */
  const untilAt = (page: Page, top: number) =>
    page.waitForFunction((expected) => Math.abs(scrollY - expected) < 5, top);

  for (const [path, step] of [
    ['/', 24],
    ['/dashboard', 24],
    ['/operator?view=spaces', 50],
  ] as const)
    it(`is as long as it was, and at the same place, after Back and after a reload: ${path}`, () =>
      using(path, async (page) => {
        await items(page).first().waitFor();
        const first = await items(page).count();
        await showMore(page, first + step);
        await showMore(page, first + 2 * step);
        const card = items(page).nth(first + 2 * step - 8);
        await card.scrollIntoViewIfNeeded();
        const top = await topOf(page);
        assert.ok(top > 1_000);
        await card.getByRole('link').first().click();
        await page.waitForURL(/\/(?:s|dashboard)\/moon-/u);
        await page.goBack();
        await takenOver(page);
        await untilShown(page, first + 2 * step);
        await untilAt(page, top);
        await page.reload();
        await untilShown(page, first + 2 * step);
        await untilAt(page, top);
      }));

  for (const path of ['/', '/operator?view=spaces'])
    it(`goes on by keyboard at the first item that is new: ${path}`, () =>
      using(path, async (page) => {
        await items(page).first().waitFor();
        const first = await items(page).count();
        await page.getByText('Show more', { exact: true }).press('Enter');
        await page.waitForFunction(
          ([found, at]) => document.querySelectorAll(found)[at]?.contains(document.activeElement),
          [each, first] as const,
        );
      }));

  it('leaves the focus alone when the next items could not be had, whatever is added later', () =>
    using(
      '/operator?view=spaces',
      async (page) => {
        await items(page).first().waitFor();
        const first = await items(page).count();
        const more = page.getByText('Show more', { exact: true });
        const isNext = (url: URL) => url.searchParams.has('cursor');
        await page.route(isNext, (route) => route.fulfill({ status: 500, json: { error: 'failed' } }));
        await more.press('Enter');
        await page.getByRole('alert').waitFor();
        await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
        await page.unroute(isNext);
        // A press by a mouse moves no focus, so only what is left of the first press could.
        await more.dispatchEvent('click', { detail: 1 });
        await untilShown(page, first + 50);
        assert.ok(await more.evaluate((button) => button === document.activeElement));
      },
      /status of 500/u,
    ));

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
