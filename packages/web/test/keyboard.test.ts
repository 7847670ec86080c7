import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { usePage } from './walk.ts';

describe('a page by keyboard', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  let creator: Persona;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const made = await creatorWithBrowser(service, 'mira');
    ({ viewer, creator } = made);
    const boards = ['Points', 'Jumps'].map((title) => ({ key: title.toLowerCase(), title }));
    slug = (await publishLive(service, creator, undefined, { boards })).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (path: string, work: (page: Page) => Promise<void>) =>
    usePage(browser, { url: `${service.baseUrl}${path}`, as: viewer, timeoutMs: 20_000 }, work);

  it('leaves Enter to an input method, which takes its word by it', () =>
    using(`/dashboard/${slug}?section=page`, async (page) => {
      const field = page.getByLabel('Tags');
      await field.fill('つき');
      await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      assert.equal(await field.inputValue(), 'つき');
      await field.press('Enter');
      await page.getByRole('button', { name: 'Remove つき' }).waitFor();
    }));

  it('leaves the browser its shortcuts with arrows', () =>
    using(`/s/${slug}`, async (page) => {
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

  it('goes on where a row was deleted with the button that had the focus', async () => {
    const stats = ['runs', 'jumps'].map((key) => ({ key, label: key }));
    const { space } = await publishLive(service, creator, undefined, { stats });
    await using(`/dashboard/${space.slug}?section=boards`, async (page) => {
      await page.getByRole('button', { name: 'Actions for jumps' }).press('Enter');
      // The menu gives its first action the focus when the browser says that it is open, which may be later.
      await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
      await page.getByRole('button', { name: 'Delete' }).and(page.locator(':visible')).press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Delete/u })
        .press('Enter');
      await page.getByRole('button', { name: 'Actions for jumps' }).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Table of stats');
    });
  });
});
