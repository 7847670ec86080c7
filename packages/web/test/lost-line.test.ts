import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { game } from './seed.ts';
import { press, usePage } from './walk.ts';

const noAnswer = 'No answer came.';
const missing = 'A part of this page could not be loaded.';

describe('a page whose line is lost', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const made = await creatorWithBrowser(service, 'mira');
    viewer = made.viewer;
    slug = (await publishLive(service, made.creator, game)).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (
    path: string,
    as: SignedUp | undefined,
    work: (page: Page, context: BrowserContext) => Promise<void>,
  ) =>
    usePage(
      browser,
      {
        url: `${service.baseUrl}${path}`,
        as,
        timeoutMs: 20_000,
        mayComplain: /DISCONNECTED|status of (?:404|503)/u,
      },
      work,
    );
  /** Marks the document, and returns a function that fails if another one has taken its place. */
  async function marked(page: Page): Promise<() => Promise<void>> {
    await page.evaluate(() => Object.assign(window, { marked: true }));
    return async () => assert.equal(await page.evaluate(() => 'marked' in window), true);
  }

  it('goes on with its game, and opens the dialog when the line is back', () =>
    using(`/s/${slug}`, undefined, async (page, context) => {
      await page.frameLocator('iframe').locator('canvas').waitFor();
      const isSame = await marked(page);
      await context.setOffline(true);
      await press(page, 'Share');
      await page.locator('.toast', { hasText: noAnswer }).waitFor();
      await isSame();
      await context.setOffline(false);
      await press(page, 'Share');
      await page.getByRole('dialog').waitFor();
      await isSame();
    }));

  it('goes on with its game where its scripts are gone with an update, and offers to load it again', () =>
    using(`/s/${slug}`, undefined, async (page) => {
      await page.frameLocator('iframe').locator('canvas').waitFor();
      const isSame = await marked(page);
      await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
      await press(page, 'Report');
      await page.locator('.toast', { hasText: missing }).waitFor();
      await isSame();
      await page.unroute('**/assets/**');
      await press(page, 'Load the page again');
      await page.waitForFunction(() => !('marked' in window));
    }));

  it('keeps what was typed in a section while another cannot be loaded', () =>
    using(`/dashboard/${slug}?section=players`, viewer, async (page, context) => {
      const isSame = await marked(page);
      await page.getByLabel('Ban by handle').fill('somebody');
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByRole('alert').filter({ hasText: noAnswer }).waitFor();
      await context.setOffline(false);
      await press(page, 'Try again');
      await page.getByRole('heading', { name: 'How it loads and plays' }).waitFor();
      await page.getByRole('link', { name: 'Players' }).click();
      assert.equal(await page.getByLabel('Ban by handle').inputValue(), 'somebody');
      await isSame();
    }));

  it('says that the service is away, instead of waiting for as long as it asks for', () =>
    using(`/dashboard/${slug}?section=activity`, viewer, async (page) => {
      const away = { status: 503, headers: { 'retry-after': '30' }, json: { error: 'failed', message: '' } };
      await page.route('**/api/**', (route) => route.fulfill(away));
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('alert').filter({ hasText: 'busy or away for a moment' }).waitFor();
      await page.unroute('**/api/**');
      await press(page, 'Try again');
      await page.getByText('No webhooks').waitFor();
    }));
});
