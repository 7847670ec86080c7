import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { press, usePage } from './walk.ts';

describe('a message that goes away by itself', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const mira = await creatorWithBrowser(service, 'mira');
    viewer = mira.viewer;
    ({ slug } = (await publishLive(service, mira.creator)).space);
    await publishLive(service, mira.creator, { 'index.html': 'two' }, { space: slug });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (path: string, work: (page: Page) => Promise<void>) =>
    usePage(browser, { url: `${service.baseUrl}${path}`, as: viewer, timeoutMs: 20_000 }, work);

  it('stays while it has the focus, which then returns to where it was', () =>
    using('/settings', async (page) => {
      await page.clock.install();
      const row = page.locator('summary').filter({ hasText: 'Name' });
      await row.click();
      await press(page, 'Save the name');
      const toast = page.locator('.toast');
      await toast.getByRole('button', { name: 'Close' }).focus();
      await page.clock.fastForward('01:00');
      assert.equal(await toast.count(), 1);
      await page.keyboard.press('Enter');
      await toast.waitFor({ state: 'detached' });
      assert.equal(await row.evaluate((line) => line === document.activeElement), true);

      await row.click();
      await press(page, 'Save the name');
      await toast.hover();
      await page.clock.fastForward('01:00');
      assert.equal(await toast.count(), 1);
      // The pointer leaves it while it has the focus.
      await toast.getByRole('button', { name: 'Close' }).focus();
      await page.mouse.move(0, 0);
      await page.clock.fastForward('01:00');
      assert.equal(await toast.count(), 1);
      await row.focus();
      await page.clock.fastForward('00:07');
      await toast.waitFor({ state: 'detached' });
    }));

  it('leaves twenty seconds for undoing', () =>
    using(`/dashboard/${slug}`, async (page) => {
      await page.clock.install();
      await page.getByRole('button', { name: /^Version 1/u }).click();
      await press(page, 'Roll back to 1');
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      // Other messages are gone after six seconds. The clock runs on while a busy machine takes its time.
      await page.clock.fastForward('00:12');
      assert.equal(await undo.count(), 1);
      await page.clock.fastForward('00:09');
      await undo.waitFor({ state: 'detached' });
    }));
});
