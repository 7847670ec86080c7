import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { field, press, usePage } from './walk.ts';

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text));
  return Buffer.from(await (await writer.close()).arrayBuffer());
}

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
      { url: `${service.baseUrl}${path}`, as, timeoutMs: 20_000, mayComplain: /status of 4(?:01|29)/u },
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
      // By its role it is gone when the browser has closed it, before the page knows, which then opens no other.
      await page.locator('dialog').waitFor({ state: 'detached' });
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

  it('stays in the form of a drop that was refused, and is what «Try again» sends', () =>
    using('/drop', viewer, async (page) => {
      const sent: unknown[] = [];
      const versions = '**/api/v1/hosting/versions';
      await page.route(versions, (route) => {
        const body = route.request().postDataJSON();
        if (body.dryRun) return route.continue();
        sent.push({ title: body.fields.title, devices: body.fields.devices });
        const answer = { error: 'More than 60 versions were created in an hour.', code: 'rate_limited' };
        return route.fulfill({ status: 429, headers: { 'retry-after': '1800' }, json: answer });
      });
      await page.locator('input[data-kind=zip]').setInputFiles({
        name: 'moon.zip',
        mimeType: 'application/zip',
        buffer: await zipOf({ 'index.html': '<!doctype html><title>Moon</title>' }),
      });
      await field(page, 'Title').fill('Moon Hopper, the second');
      await page.getByLabel('Tablet').check();
      await press(page, 'Publish live');
      await page.getByText('More than 60 versions were created in an hour.').waitFor();
      assert.equal(await field(page, 'Title').inputValue(), 'Moon Hopper, the second');
      assert.equal(await page.getByLabel('Tablet').isChecked(), true);
      await page.unroute(versions);
      const again = page.waitForRequest((request) => /\/versions\/\w+\/finish$/u.test(request.url()));
      await press(page, 'Try again');
      assert.equal((await again).postDataJSON().preview, false);
      await page.getByRole('heading', { name: 'Moon Hopper, the second' }).waitFor();
      assert.equal(sent.length, 1);
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
