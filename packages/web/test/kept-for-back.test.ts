import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { playedGame } from './stage-game.ts';
import { openStage, stagePages } from './stage-pages.ts';
import { press } from './walk.ts';

/**
 * Playwright's Chromium does not keep pages for Back (`--disable-back-forward-cache`), so the events with which a
 * browser freezes a page and brings it back are made here.
 */
describe('a page that the browser keeps for Back', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    ({ service, browser, slug } = await openStage());
    viewer = await signUp(service, { handle: 'visitor' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { using, pageOf } = stagePages(() => ({ service, browser }));
  const leave = (page: Page) => page.evaluate(show, ['pagehide', 'hidden'] as const);
  const comeBack = (page: Page) => page.evaluate(show, ['pageshow', 'visible'] as const);

  it('sends its game nothing while it is left, or Firefox would drop it', () =>
    using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      await game.forget();
      await leave(page);
      await comeBack(page);
      await press(page, 'Share');
      await game.heard('pause');
      assert.deepEqual(await game.events(), [{ ev: 'pause', d: null }]);
    }));

  it('stays as it was left, unless somebody has signed in or out since', () =>
    using(`${service.baseUrl}/`, async (page, context) => {
      await page.evaluate(() => Object.assign(window, { isKept: true }));
      const isKept = () => page.evaluate(() => Reflect.has(window, 'isKept'));
      const looked = page.waitForResponse(`${service.baseUrl}/`);
      await leave(page);
      await comeBack(page);
      await (await looked).finished();
      assert.equal(await isKept(), true);

      const url = service.baseUrl;
      await context.addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url })));
      await comeBack(page);
      await page.getByRole('button', { name: '@visitor' }).waitFor();
      assert.equal(await isKept(), false);
    }));
});

/** Runs in the page: the events of a browser that freezes a page or brings it back. */
function show([event, visibilityState]: readonly ['pagehide' | 'pageshow', DocumentVisibilityState]): void {
  const change = () => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
  if (event === 'pageshow') change();
  dispatchEvent(new PageTransitionEvent(event, { persisted: true }));
  if (event === 'pagehide') change();
}
