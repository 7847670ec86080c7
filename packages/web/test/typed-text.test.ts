import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { field, press, usePage } from './walk.ts';

describe('text that somebody typed', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const made = await creatorWithBrowser(service, 'mira');
    viewer = made.viewer;
    slug = (await publishLive(service, made.creator)).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (path: string, as: SignedUp | undefined, work: (page: Page) => Promise<void>) =>
    usePage(
      browser,
      { url: `${service.baseUrl}${path}`, as, timeoutMs: 20_000, mayComplain: /status of 401/u },
      work,
    );

  it('stays in a dialog when a selection, or a press, ends beside the dialog', () =>
    using(`/s/${slug}`, undefined, async (page) => {
      const dialog = page.getByRole('dialog');
      await press(page, 'Report');
      const text = dialog.getByRole('textbox');
      const place = await text.boundingBox();
      assert.ok(place);
      const select = async () => {
        await page.mouse.move(place.x + 100, place.y + 15);
        await page.mouse.down();
        await page.mouse.move(5, place.y + 15, { steps: 4 });
        await page.mouse.up();
      };
      await select();
      assert.equal(await dialog.count(), 1);
      await text.fill('It copies another game.');
      await select();
      await page.mouse.click(5, 5);
      assert.equal(await text.inputValue(), 'It copies another game.');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await press(page, 'Report');
      await dialog.waitFor();
      await page.mouse.click(5, 5);
      await dialog.waitFor({ state: 'detached' });
    }));

  it('is still there, and not saved, if it was typed during a save', () =>
    using(`/dashboard/${slug}?section=page`, viewer, async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route(`**/api/spaces/${slug}`, async (route) => {
        if (route.request().method() === 'PATCH') await held.promise;
        await route.continue();
      });
      const description = field(page, 'Description');
      await description.fill('Hop from moon to moon');
      await press(page, 'Save');
      await description.pressSequentially(' and home');
      held.resolve();
      await page.locator('.toast', { hasText: 'Saved.' }).waitFor();
      assert.equal(await description.inputValue(), 'Hop from moon to moon and home');
      await press(page, 'Save');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      await page.reload();
      assert.equal(await description.inputValue(), 'Hop from moon to moon and home');
    }));

  it('stays while its writer, who was signed out elsewhere, signs in again in another tab', () =>
    using(`/dashboard/${slug}?section=page`, viewer, async (page) => {
      await page.context().clearCookies();
      await field(page, 'How it was made').fill('On two weekends.');
      await press(page, 'Save');
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Sign in in another tab' }).click();
      const other = await opened;
      await field(other, 'E-mail address').fill(viewer.email);
      await field(other, 'Password').fill(viewer.password);
      await press(other, 'Sign in');
      await other.waitForURL(`**/dashboard/${slug}?section=page`);
      await other.close();
      await press(page, 'Save');
      await page.locator('.toast', { hasText: 'Saved.' }).waitFor();
      assert.equal(await field(page, 'How it was made').inputValue(), 'On two weekends.');
    }));
});
