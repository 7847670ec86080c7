import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer } from '@spaceport/contract/sdk-protocol';
import type { Browser } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { guestKeyOf, openStage, stagePages } from './stage-pages.ts';
import { press } from './walk.ts';

/** The functions that the game has in its window. */
declare const game: { ask(method: string, ...given: unknown[]): Promise<Answer> };

describe('the page of a running game', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let slug: string;
  before(async () => {
    ({ service, browser, creator, slug } = await openStage());
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { pageOf, boardOf, open, using, signIn } = stagePages(() => ({ service, browser }));

  it('signs a guest in over the paused game, which keeps the guest’s data', async () => {
    const own = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'comes_in' });
    await using(pageOf(own), async (page) => {
      const game = await playedGame(page);
      await game.get('scores.submit', 'points', 700);
      await game.get('saves.set', 'slot', 'a guest’s', 0);
      const { run } = await game.get<{ run: string }>('run', 'points');
      await page.evaluate(() => Object.assign(window, { stillHere: true }));
      await game.forget();
      const asked = game.get<{ handle: string; guest: boolean }>('player.signIn');
      await page.getByRole('dialog').waitFor();
      await game.heard('pause');
      await signIn(page, player);
      assert.deepEqual([(await asked).handle, (await asked).guest], ['comes_in', false]);
      await game.heard('resume');
      assert.equal(((await game.heard('player')) as { handle: string }).handle, 'comes_in');
      await page.getByRole('button', { name: '@comes_in' }).waitFor();
      assert.equal(await page.evaluate(() => Reflect.get(window, 'stillHere')), true);
      await game.hears('Space', 'ArrowDown');
      assert.equal(await guestKeyOf(page), null);
      assert.equal((await game.get<{ data: unknown }>('saves.get', 'slot')).data, 'a guest’s');
      const result = await game.get('run.submit', run, 900, {});
      assert.deepEqual([result.best, result.improved], [900, true]);
      assert.match(await game.get<string>('player.token'), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
      await page.locator('.standing').getByText('You are').waitFor();
    });
    assert.deepEqual(
      (await boardOf(own)).map(({ handle, score }) => [handle, score]),
      [['comes_in', 900]],
    );
  });

  it('lets the game use what a page of its own may use, but no camera, microphone or place', () =>
    using(pageOf(slug), async (page) => {
      const { frame } = await playedGame(page);
      const mayUse = (feature: string) =>
        // Chromium alone has it, and the DOM types do not.
        frame.evaluate((name) => Reflect.get(document, 'featurePolicy').allowsFeature(name), feature);
      const given = ['fullscreen', 'gamepad', 'autoplay', 'accelerometer', 'gyroscope'];
      for (const feature of given) assert.equal(await mayUse(feature), true, feature);
      for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'clipboard-read'])
        assert.equal(await mayUse(feature), false, feature);
      // A headless browser asks nobody, and refuses what it was not granted.
      await page.context().grantPermissions(['clipboard-write']);
      await frame.locator('body').click();
      const written = frame.evaluate(() =>
        navigator.clipboard.writeText('Moon 3/6').then(
          () => 'written',
          ({ message }: DOMException) => message,
        ),
      );
      assert.equal(await written, 'written');
      const turned = frame.evaluate(() =>
        (screen.orientation as ScreenOrientation & { lock(to: string): Promise<void> })
          .lock('landscape')
          .then(
            () => 'locked',
            ({ name }: DOMException) => name,
          ),
      );
      // A screen on a desk may not turn (NotSupportedError). A game that may not ask gets this error.
      assert.notEqual(await turned, 'SecurityError');
    }));

  it('knows who is signed in before the service has opened a session', async () => {
    const player = await signUp(service, { handle: 'on_a_slow_line' });
    const held = Promise.withResolvers<void>();
    await using(
      `${service.baseUrl}/`,
      async (page) => {
        await page.route('**/api/player/sessions', async (route) => {
          await held.promise;
          await route.continue();
        });
        await page.goto(pageOf(slug));
        const game = await playedGame(page);
        const { player: known } = await game.welcome();
        assert.deepEqual([known.handle, known.guest], ['on_a_slow_line', false]);
        assert.notEqual(known.id, '');
        const opened = page.waitForResponse('**/api/player/sessions');
        const token = game.get<string>('player.token');
        held.resolve();
        assert.match(await token, /^[\w-]+\.[\w-]+\.[\w-]+$/u);
        assert.deepEqual((await (await opened).json()).player, known);
      },
      { as: player },
    );
  });

  it('sends what an account did before a session could be opened', async () => {
    const player = await signUp(service, { handle: 'in_a_tunnel' });
    const own = await publishStage(service, creator);
    await using(
      `${service.baseUrl}/`,
      async (page) => {
        const sessions = '**/api/player/sessions';
        await page.route(sessions, (route) => route.abort());
        await page.goto(pageOf(own));
        const game = await playedGame(page);
        assert.equal(await game.get('stats.add', 'jumps', 2), 2);
        await game.get('saves.set', 'slot', 'from the tunnel', 0);
        await page.unroute(sessions);
        await game.get('run', 'points');
        await game.get('stats.add', 'jumps', 1);
        // Only the service unlocks it, at three jumps.
        await page.getByText('Jumper (you have it)').waitFor();
      },
      { as: player, mayComplain: /ERR_FAILED/u },
    );
    const { saves } = (await player.get(`/api/player/saves?space=${own}&slot=slot`)).json();
    assert.equal(saves[0]?.data, 'from the tunnel');
  });

  it('shows the loading progress and a celebration, which let clicks through', () =>
    using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      const bar = page.getByRole('progressbar', { name: /^Loading / });
      assert.equal(await bar.count(), 0);
      await game.tell('loading', 0.4);
      await bar.waitFor();
      assert.equal(await bar.getAttribute('value'), '0.4');
      const box = await page.locator('.stage').boundingBox();
      assert.ok(box);
      // A point at the lower edge, where the bar is.
      const at = [box.x + box.width / 2, box.y + box.height - 2] as const;
      assert.equal(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.tagName, at), 'IFRAME');
      await game.tell('loading', 1);
      await bar.waitFor({ state: 'detached' });
      await game.tell('celebrate');
      await page.locator('.stage-celebration').waitFor({ state: 'attached' });
      assert.equal(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.tagName, at), 'IFRAME');
      await game.hears('Space');
    }));

  it('tells a game that the sign-in was cancelled, and returns the keyboard focus to it', () =>
    using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      // Clicks with a pointer, as a person who plays with one does.
      await page.locator('.standing').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor();
      await press(page, 'Make an account');
      await page.getByRole('dialog').getByRole('heading', { name: 'Make an account' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await game.hears('Space', 'ArrowDown');
      const code = game.code('player.signIn');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await code, 'cancelled');
      await game.hears('Space');
    }));

  it('leaves the focus in the game after it was returned', () =>
    using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      await game.hears('Space');
      const code = game.code('player.signIn');
      await page.getByRole('dialog').waitFor();
      // Collects the focused element of each frame that is drawn after the dialog is gone.
      const focused = page.evaluate(
        () =>
          new Promise<(string | undefined)[]>((resolve) => {
            const seen: (string | undefined)[] = [];
            const look = () => {
              if (document.querySelector('dialog') === null) seen.push(document.activeElement?.localName);
              if (seen.length < 8) requestAnimationFrame(look);
              else resolve(seen);
            };
            requestAnimationFrame(look);
          }),
      );
      await page.keyboard.press('Escape');
      assert.equal(await code, 'cancelled');
      const seen = await focused;
      assert.deepEqual(
        seen.slice(seen.indexOf('iframe')).filter((name) => name !== 'iframe'),
        [],
        seen.join(' '),
      );
      await game.hears('Space');
    }));

  it('signs a second tab in when the first one does', async () => {
    const player = await signUp(service, { handle: 'two_tabs' });
    await using(pageOf(slug), async (page, context) => {
      const one = await playedGame(page);
      await one.get('stats.add', 'jumps', 1);
      const second = await open(context, pageOf(slug));
      const other = await playedGame(second);
      await page.bringToFront();
      const asked = one.get('player.signIn');
      await page.getByRole('dialog').waitFor();
      await signIn(page, player);
      await asked;
      assert.equal(((await other.heard('player')) as { handle: string }).handle, 'two_tabs');
      assert.equal(await other.get('stats.add', 'jumps', 1), 2);
      await second.getByRole('button', { name: '@two_tabs' }).waitFor();
      await second.bringToFront();
      await second.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
      await press(second, 'Restart');
      await second.locator('iframe:not([data-before])').waitFor();
      const again = await playedGame(second);
      assert.equal((await again.welcome()).player.handle, 'two_tabs');
      assert.equal(await again.get('stats.add', 'jumps', 1), 3);
      assert.equal(await guestKeyOf(second), null);
    });
  });

  it('mutes, shares and restarts from the bar, and the game keeps the focus', () =>
    using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      await press(page, 'Mute');
      assert.equal(await game.heard('mute'), true);
      await game.hears('Space');
      assert.equal(await page.getByRole('button', { name: 'Mute' }).getAttribute('aria-pressed'), 'true');
      await press(page, 'Share');
      await page.getByRole('dialog').waitFor();
      await game.heard('pause');
      await page.keyboard.press('Escape');
      await game.heard('resume');
      await game.hears('ArrowDown');
      await press(page, 'Restart');
      const again = await playedGame(page);
      assert.equal((await again.welcome()).muted, true);
      await again.hears('Space');
    }));

  it('asks before an open run is left, and only then', async () => {
    await using(pageOf(slug), async (page) => {
      const game = await playedGame(page);
      let asked = 0;
      page.on('dialog', (dialog) => {
        asked += 1;
        void dialog.dismiss();
      });
      await page.locator('iframe').click();
      const leave = () => page.evaluate(() => location.assign('/')).catch(() => {});
      await game.tell('playing', true);
      const { run } = await game.get<{ run: string }>('run', 'points');
      await leave();
      await game.get('stats.add', 'jumps', 1);
      assert.equal(asked, 1);
      await game.get('run.submit', run, 10, {});
      await leave();
      await page.waitForURL(`${service.baseUrl}/`);
      assert.equal(asked, 1);
    });
  });
});
