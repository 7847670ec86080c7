import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Files, publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { shownSpace } from './seed.ts';
import { keysGiven, openPage } from './walk.ts';
import { openWindow, type RealWindow } from './window.ts';

/** Keys that the game has heard. */
declare const heard: { keys: string[] };

/** A game that listens to keys without preventing their defaults, so that keys can still scroll the page. */
const listener = {
  'index.html':
    '<!doctype html><title>Keys</title><canvas></canvas><script>const heard = { keys: [] }; addEventListener("keyup", ({ code }) => heard.keys.push(code))</script><img src="late.png" alt="">',
  'late.png': '',
};

/** A game that listens to keys on its canvas alone, which it focuses once, as engines do. */
const focused = {
  'index.html':
    '<!doctype html><title>Canvas</title><canvas tabindex="0"></canvas><script>const heard = { keys: [] }; const canvas = document.querySelector("canvas"); canvas.addEventListener("keyup", ({ code }) => heard.keys.push(code)); canvas.focus()</script>',
};

/** A game that prevents what every key does, as many do. */
const greedy = {
  'index.html':
    '<!doctype html><title>Greedy</title><canvas></canvas><script>const heard = { keys: [] }; addEventListener("keydown", (event) => { event.preventDefault(); heard.keys.push(event.code) })</script>',
};

const mostPresses = 50;
const loads = Number(process.env.KEY_LOADS ?? 5);

describe('the keyboard focus of a player', () => {
  let service: TestService;
  let window: RealWindow;
  let viewer: SignedUp;
  let auto: string;
  let click: string;
  let onCanvas: string;
  let allKeys: string;
  before(async () => {
    [service, window] = await Promise.all([startService(), openWindow()]);
    viewer = await signUp(service, { handle: 'visitor', name: 'Vera' });
    const creator = await service.creator('mira');
    // The description is long enough to make the page scroll.
    const fields = { ...shownSpace, description: 'Down.\n'.repeat(100) };
    const publish = async (start: 'auto' | 'click', files: Files = listener) => {
      const { space } = await publishLive(service, creator, files, { fields, start });
      return `${service.baseUrl}/s/${space.slug}`;
    };
    auto = await publish('auto');
    click = await publish('click');
    onCanvas = await publish('auto', focused);
    allKeys = await publish('auto', greedy);
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  const gameOf = async (page: Page) => {
    await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
    const game = page.frames().find((frame) => frame.parentFrame() !== null);
    assert.ok(game);
    return game;
  };
  /** Presses keys that games use. The game must hear all of them, and the page must not scroll. */
  const plays = async (page: Page) => {
    const keys = ['Space', 'ArrowDown', 'PageDown'];
    const game = await gameOf(page);
    await keysGiven(page);
    await game.waitForFunction(() => document.hasFocus());
    await game.evaluate(() => {
      heard.keys = [];
    });
    for (const key of keys) await page.keyboard.press(key);
    await game.waitForFunction((count) => heard.keys.length === count, keys.length);
    assert.deepEqual(await game.evaluate(() => heard.keys), keys);
    const top = await page.evaluate(
      () =>
        new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY)))),
    );
    assert.equal(top, 0);
  };
  async function using(url: string, work: (page: Page) => Promise<void>): Promise<void> {
    const page = await openPage(window.browser, { url, as: viewer });
    page.setDefaultTimeout(10_000);
    try {
      await work(page);
    } finally {
      await page.context().close();
    }
  }

  it(`is in the game after each of ${loads} loads`, async () => {
    for (let load = 0; load < loads; load++) await using(auto, plays);
  });

  it('is in the game after a start, after a restart, and in full screen', () =>
    using(click, async (page) => {
      await page.getByRole('button', { name: 'Play' }).click();
      await plays(page);
      await page.getByRole('button', { name: 'Restart' }).click();
      await plays(page);
      await page.getByRole('button', { name: 'Full screen' }).click();
      await page.waitForFunction(() => document.fullscreenElement !== null);
      await plays(page);
      await page.getByRole('button', { name: 'Leave full screen' }).click();
      await page.waitForFunction(() => document.fullscreenElement === null);
      await plays(page);
    }));

  it('is in the game after a size was chosen with a pointer', () =>
    using(auto, async (page) => {
      await plays(page);
      await page.getByRole('button', { name: 'Phone', exact: true }).click();
      await plays(page);
      await page.getByRole('button', { name: 'Wide', exact: true }).click();
      await plays(page);
      // By keyboard, another size can be chosen.
      const phone = page.getByRole('button', { name: 'Phone', exact: true });
      await phone.press('Enter');
      await page.waitForFunction(
        () => document.activeElement?.textContent === 'Phone' && document.querySelector('.stage--phone'),
      );
    }));

  it('is in a game that still loads files', () =>
    using(click, async (page) => {
      await page.route('**/late.png', () => {});
      await page.getByRole('button', { name: 'Play' }).click();
      const game = await gameOf(page);
      // How soon depends on the machine. Without it the game would hear nothing before `load`.
      for (let press = 0; press < mostPresses; press++) {
        await page.keyboard.press('Space');
        await keysGiven(page);
        if (await game.evaluate(() => heard.keys.length > 0)) break;
      }
      assert.ok(await game.evaluate(() => heard.keys.length > 0));
      assert.notEqual(await game.evaluate(() => document.readyState), 'complete');
    }));

  it('stays with the canvas that the game gave it to', () =>
    using(onCanvas, async (page) => {
      await plays(page);
      // The player comes back from another window.
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await plays(page);
      await page.getByRole('button', { name: 'Mute' }).click();
      await plays(page);
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await plays(page);
    }));

  it('leaves a game that prevents every key with Escape and then Tab, on either side', () =>
    using(allKeys, async (page) => {
      const game = await gameOf(page);
      await page.getByRole('button', { name: 'Mute' }).and(page.locator(':enabled')).waitFor();
      const enter = async () => {
        await page.locator('iframe').focus();
        await game.waitForFunction(() => document.hasFocus());
      };
      await enter();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.localName), 'iframe');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      await page.waitForFunction(() => document.activeElement?.textContent === 'Wide');
      assert.deepEqual(await game.evaluate(() => heard.keys), ['Tab', 'Escape']);
      await enter();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+Tab');
      await page.waitForFunction(() => document.activeElement?.textContent === '@visitor');
    }));

  it('is back in the game after a click outside and then inside it', () =>
    using(auto, async (page) => {
      await plays(page);
      await page.getByRole('heading', { level: 1 }).click();
      await page.waitForFunction(() => document.activeElement?.localName !== 'iframe');
      await page.locator('iframe').click();
      await plays(page);
    }));

  it('returns to the game after a dialog and after a menu', () =>
    using(auto, async (page) => {
      await gameOf(page);
      for (const close of ['Escape', 'Close']) {
        await page.getByRole('button', { name: 'Share' }).click();
        await page.getByRole('dialog').waitFor();
        if (close === 'Escape') await page.keyboard.press('Escape');
        else await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await plays(page);
      }
      await page.getByRole('button', { name: '@visitor' }).click();
      await page.getByRole('link', { name: 'Sign out' }).waitFor();
      await page.keyboard.press('Escape');
      await plays(page);
    }));

  it('stays on the button for somebody who uses the keyboard alone', () =>
    using(auto, async (page) => {
      await plays(page);
      await page.getByRole('button', { name: 'Share' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Share');
    }));

  it('opens a menu over the game, and a click in the game closes it', () =>
    using(auto, async (page) => {
      await gameOf(page);
      for (const viewport of [
        { width: 1360, height: 850 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(viewport);
        await page.getByRole('button', { name: '@visitor' }).click();
        for (const name of ['Your page', 'Your spaces', 'Settings', 'Sign out']) {
          // Fails if another element covers the link.
          await page.getByRole('link', { name }).click({ trial: true });
        }
        await page.locator('iframe').click({ position: { x: 20, y: 200 } });
        await page.getByRole('link', { name: 'Sign out' }).waitFor({ state: 'hidden' });
        await plays(page);
      }
    }));
});
