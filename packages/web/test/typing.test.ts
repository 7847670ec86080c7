import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { usePage } from './walk.ts';

describe('typing and selecting', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const made = await creatorWithBrowser(service, 'mira');
    viewer = made.viewer;
    const boards = ['Points', 'Jumps'].map((title) => ({ key: title.toLowerCase(), title }));
    slug = (await publishLive(service, made.creator, undefined, { boards })).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const usingPage = (path: string, work: (page: Page) => Promise<void>) =>
    usePage(browser, { url: `${service.baseUrl}${path}`, as: viewer, timeoutMs: 8_000 }, work);
  const using = (section: string, work: (page: Page) => Promise<void>) =>
    usingPage(`/dashboard/${slug}?section=${section}`, work);

  it('keeps what is typed while a save is under way', () =>
    using('page', async (page) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route('**/api/spaces/*', async (route) => {
        if (route.request().method() === 'PATCH') await promise;
        await route.continue();
      });
      await page.getByLabel('Title').fill('Moon Hopper II');
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await sent;
      await page.getByLabel('Title').fill('Moon Hopper III');
      resolve();
      await page.locator('.toast', { hasText: 'Saved.' }).waitFor();
      assert.equal(await page.getByLabel('Title').inputValue(), 'Moon Hopper III');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'Moon Hopper III' }).waitFor();
    }));

  it('leaves Enter to an input method, which takes its word by it', () =>
    using('page', async (page) => {
      const field = page.getByLabel('Tags');
      await field.fill('つき');
      await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      assert.equal(await field.inputValue(), 'つき');
      await field.press('Enter');
      await page.getByRole('button', { name: 'Remove つき' }).waitFor();
    }));

  it('leaves the browser its shortcuts with arrows', () =>
    usingPage(`/s/${slug}`, async (page) => {
      const [first, second] = [
        page.getByRole('tab', { name: 'Points' }),
        page.getByRole('tab', { name: 'Jumps' }),
      ];
      await first.click();
      await first.dispatchEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true });
      assert.equal(await first.getAttribute('aria-selected'), 'true');
      await first.press('ArrowRight');
      await page.locator('[role=tab][aria-selected=true]', { hasText: 'Jumps' }).waitFor();
      assert.equal(await second.evaluate((tab) => tab === document.activeElement), true);
    }));
});
