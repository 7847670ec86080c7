import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { openBrowser, openProfile } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import {
  finger,
  type Mothlight,
  openMothlight,
  padButton,
  plugIn,
  publishMothlight,
  spaceBar,
} from './mothlight.ts';
import { type Look, listen, openContext } from './walk.ts';

/** Refuses storage to the game's frame, as most browsers do for other sites. npm's browser does not. */
function refuseStorage(): void {
  if (window === window.parent) return;
  Object.defineProperty(window, 'localStorage', {
    get() {
      throw new DOMException('Access is denied.', 'SecurityError');
    },
  });
}

describe('Mothlight, played by guests', () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    url = `${service.baseUrl}/s/${await publishMothlight(service)}`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Returns the type of the frame's storage, or the name of the error that it throws. */
  const storageOf = ({ frame }: Mothlight) =>
    frame.evaluate(() => {
      try {
        return typeof localStorage;
      } catch (error) {
        return error instanceof DOMException && error.name;
      }
    });
  async function using(
    device: Look['device'],
    work: (game: Mothlight, context: BrowserContext) => Promise<void>,
    prepare: (context: BrowserContext) => Promise<void> = async () => {},
  ): Promise<void> {
    const context = await openContext(browser, { device, scheme: 'light' }, { url });
    try {
      await prepare(context);
      await context.addInitScript(refuseStorage);
      const complaints: string[][] = [];
      context.on('page', (page) => complaints.push(listen(page)));
      const game = await openMothlight(context, url);
      // The module has put its own storage in the place of the one that throws.
      assert.equal(await storageOf(game), 'object');
      await work(game, context);
      assert.deepEqual(complaints.flat(), []);
    } finally {
      await context.close();
    }
  }

  /** Returns what the service keeps for the guest of a page. */
  async function keptFor(page: Page): Promise<{ score: number; days: Record<string, number> }> {
    const key = await page.evaluate(() => localStorage.getItem('spaceport-guest'));
    const answer = await service.anonymous.call('GET', '/api/player/saves/best?space=mothlight', undefined, {
      authorization: `Guest ${key}`,
      'sec-fetch-site': 'same-origin',
    });
    assert.equal(answer.status, 200, answer.text());
    return answer.json().data;
  }
  const ranked = async (board: string) =>
    (await service.anonymous.call('GET', `/api/gallery/mothlight/boards/${board}/entries`)).json().entries;

  it('with the keyboard: shows unlocks, the rank they would have, and earlier flights', () =>
    using('desktop', async (game, context) => {
      const { page } = game;
      // A message stays for six seconds. On a slow machine the test may reach it late.
      const seen = (told: Locator) => told.waitFor({ timeout: 90_000 });
      const [score] = await Promise.all([
        game.fly(spaceBar(page), 1),
        seen(page.locator('.toast--won').getByText('First light')),
        seen(page.getByText('Sign in, and your scores count.')),
      ]);
      assert.ok(score >= 100, `${score}`);
      await game.says('It would be rank 1');
      await page.locator('.standing').getByText(score.toLocaleString('en-US')).waitFor();
      assert.equal((await keptFor(page)).score, score);
      assert.deepEqual(await ranked('score'), []);
      // The service keeps the guest's progress, so the page does not warn of the missing storage.
      assert.equal(await page.getByText('Your browser gives it no storage here').count(), 0);
      await page.close();
      const again = await openMothlight(context, url);
      await again.frame.waitForFunction((best) => Reflect.get(globalThis, 'mothlight').best === best, score);
      assert.ok((await again.fly(spaceBar(again.page), 0)) < score);
      await again.says(`Your best: ${score.toLocaleString('en-US')}`);
    }));

  it('with a finger on a phone, under the sky of the day', () =>
    using('phone', async (game) => {
      const { page } = game;
      await page.frameLocator('iframe').getByRole('button', { name: 'Tonight' }).tap();
      await page.frameLocator('iframe').locator('#banner').getByText('Tonight').waitFor();
      const button = await finger(page);
      await button.down();
      const score = await game.flyOn(button, 1);
      assert.ok(score >= 100, `${score}`);
      await game.says('It would be rank 1');
      const { days, score: best } = await keptFor(page);
      assert.deepEqual([Object.values(days), best], [[score], 0]);
      assert.deepEqual(await ranked('tonight'), []);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${wide} px wider than the screen`);
    }));

  it('with a gamepad', () =>
    using(
      'desktop',
      async (game) => {
        assert.ok((await game.fly(padButton(game), 1)) >= 100);
        await game.says('It would be rank 1');
      },
      plugIn,
    ));

  it('without the frame’s own storage, which stays empty even when the browser provides one', async () => {
    const context = await openProfile({ viewport: { width: 1360, height: 850 } });
    try {
      const game = await openMothlight(context, url);
      assert.equal(await storageOf(game), 'object');
      const score = await game.fly(spaceBar(game.page), 1);
      await game.says('It would be rank 1');
      assert.equal((await keptFor(game.page)).score, score);
      assert.deepEqual(await game.frame.evaluate(() => Object.keys(localStorage)), []);
    } finally {
      await context.close();
    }
  });
});
