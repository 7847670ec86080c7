import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';

describe('the header of every page', () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const width of [1_200, 1_424, 1_900])
    it(`begins and ends where the page does, ${width} px wide`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.goto(service.baseUrl);
      const edges = (of: string) =>
        page.locator(of).evaluate((element) => {
          const { left, right } = element.getBoundingClientRect();
          const { paddingLeft, paddingRight } = getComputedStyle(element);
          return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)].map(
            Math.round,
          );
        });
      const main = await edges('.main--full');
      assert.deepEqual([await edges('.bar'), await edges('.foot')], [main, main]);
      await page.close();
    });

  for (const [isTouched, kind] of [
    [true, 'has no look of a mouse on a touch screen, where a tap leaves the pointer'],
    [false, 'shows where the mouse is'],
  ] as const)
    it(kind, async () => {
      const viewport = { width: 390, height: 800 };
      const page = await browser.newPage({ hasTouch: isTouched, isMobile: isTouched, viewport });
      await page.goto(`${service.baseUrl}/sign-in`);
      const link = page.locator('.bar .item').first();
      const colour = () =>
        link.evaluate((element) => {
          // A transition would still show the colour of before.
          for (const animation of element.getAnimations()) animation.finish();
          return getComputedStyle(element).backgroundColor;
        });
      const before = await colour();
      await link.hover();
      assert.equal(await link.evaluate((element) => element.matches(':hover')), true);
      assert.equal((await colour()) === before, isTouched);
      await page.close();
    });
});
