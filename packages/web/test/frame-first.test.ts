import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { game, shownSpace } from './seed.ts';
import { openContext, takenOver } from './walk.ts';

/** The page's clock stands still, so that its script does not start because time has passed. */
describe('the script of a page with a game in its frame', () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  let context: BrowserContext;
  let page: Page;
  let letFrameGo: () => void;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator();
    const { space } = await publishLive(service, creator, game, { fields: shownSpace });
    url = `${service.baseUrl}/s/${space.slug}`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => context.close());
  beforeEach(async () => {
    context = await openContext(browser, undefined, { url });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const held = new Promise<void>((resolve) => {
      letFrameGo = resolve;
    });
    await page.route(
      (asked) => asked.origin !== service.baseUrl,
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await Promise.all([
      page.waitForRequest((asked) => asked.isNavigationRequest() && asked.frame() !== page.mainFrame()),
      page.goto(url, { waitUntil: 'domcontentloaded' }),
    ]);
  });

  /** Returns the scripts that the page has named so far. */
  const scripts = () => page.locator('script[type="module"], link[rel="modulepreload"]').count();

  it('waits for the game, and starts when it has loaded', async () => {
    assert.equal(await scripts(), 0);
    letFrameGo();
    await takenOver(page);
    assert.ok((await scripts()) > 1);
  });

  it('comes with a veil over the place of the game, which is gone when the game is there', async () => {
    // Its opacity, because it is hidden after a while in any case.
    const veiled = (opacity: string) =>
      page.waitForFunction((wanted) => {
        const veil = document.querySelector('.frame-veil');
        return veil !== null && getComputedStyle(veil).opacity === wanted;
      }, opacity);
    await veiled('1');
    assert.equal(
      await page.evaluate(() => {
        const { left, top } = document.querySelector('.stage')?.getBoundingClientRect() ?? new DOMRect();
        return document.elementFromPoint(left + 20, top + 20)?.localName;
      }),
      'iframe',
      'presses are for the game',
    );
    letFrameGo();
    await veiled('0');
    await takenOver(page);
    await veiled('0');
  });

  it('is not needed for the game, which has no veil then', async () => {
    const without = await browser.newContext({ javaScriptEnabled: false });
    try {
      const plain = await without.newPage();
      await plain.goto(url);
      await plain.locator('.frame').first().waitFor();
      assert.ok(!(await plain.locator('.frame-veil').first().isVisible()));
    } finally {
      await without.close();
      letFrameGo();
    }
  });

  it('starts at the first use of the page', async () => {
    await page.keyboard.press('Shift');
    await takenOver(page);
    letFrameGo();
  });

  it('starts after a moment, however long the game takes', async () => {
    await page.clock.runFor(500);
    assert.equal(await scripts(), 0);
    await page.clock.runFor(200);
    await takenOver(page);
    letFrameGo();
  });
});
