import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { shownSpace } from './seed.ts';
import { openContext, takenOver } from './walk.ts';

/** A game that asks for its size once, when it begins. */
const game = {
  'index.html':
    '<!doctype html><title>Once</title><body style="margin: 0"><script>var begun = [innerWidth, innerHeight]</script>',
};

/** How far a size may be off, in pixels: the width and height of a frame without styles are whole numbers. */
const tolerance = 1;

describe('a game that begins before the styles of its page are there', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Awaited<ReturnType<TestService['creator']>>;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    creator = await service.creator();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const [name, device, viewport, devices] of [
    ['on a desktop', 'desktop', { width: 1360, height: 900 }, ['desktop', 'mobile']],
    ['in a small window', 'desktop', { width: 700, height: 400 }, ['desktop']],
    ['in a very wide window', 'desktop', { width: 2200, height: 1400 }, ['desktop']],
    ['on a phone', 'phone', { width: 390, height: 844 }, ['mobile']],
    ['on a phone that lies', 'phone', { width: 844, height: 390 }, ['mobile']],
    ['on a small phone that lies', 'phone', { width: 568, height: 320 }, ['desktop', 'mobile']],
  ] as const)
    it(`has its size from the beginning ${name}`, async () => {
      const fields = { ...shownSpace, devices: [...devices] };
      const { space } = await publishLive(service, creator, game, { fields });
      const url = `${service.baseUrl}/s/${space.slug}`;
      const context = await openContext(browser, { device, scheme: 'light' }, { url });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        await page.setViewportSize(viewport);
        let letStylesGo = () => {};
        const held = new Promise<void>((resolve) => {
          letStylesGo = resolve;
        });
        await page.route(/\.css$/u, async (route) => {
          await held;
          await route.continue();
        });
        const [loaded] = await Promise.all([
          page.waitForEvent(
            'framenavigated',
            (frame) => frame.parentFrame() !== null && frame.url() !== 'about:blank',
          ),
          page.goto(url, { waitUntil: 'commit' }),
        ]);
        await loaded.waitForFunction(() => 'begun' in window);
        const begun = await loaded.evaluate(() => Reflect.get(window, 'begun') as number[]);
        letStylesGo();
        await takenOver(page);
        await page.waitForLoadState();
        const [width = 0, height = 0] = await loaded.evaluate(() => [innerWidth, innerHeight]);
        assert.ok(width !== 300 && height !== 150, `${width} × ${height}`);
        const off = Math.max(Math.abs((begun[0] ?? 0) - width), Math.abs((begun[1] ?? 0) - height));
        assert.ok(off <= tolerance, `${begun.join(' × ')} became ${width} × ${height}`);
        if (!name.endsWith('lies')) return;
        const frame = await page.locator('iframe').boundingBox();
        assert.ok(frame && frame.y + frame.height <= viewport.height, 'the whole game is on the screen');
        assert.ok(frame.height > viewport.height * 0.8, `${frame.height} px of ${viewport.height}`);
      } finally {
        await context.close();
      }
    });
});
