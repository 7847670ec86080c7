import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer } from '@spaceport/contract/sdk-protocol';
import type { Browser } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage, publishStagePreview } from './stage-game.ts';
import { guestKeyOf, openStage, stagePages } from './stage-pages.ts';
import { type LayoutShift, walk } from './walk.ts';

/** The functions that the game has in its window. */
declare const game: { ask(method: string, ...given: unknown[]): Promise<Answer> };

describe('the page around a game', () => {
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

  const guests = () => service.service.platform.database.db.selectFrom('guests').select('id').execute();
  const { pageOf, boardOf, open, using } = stagePages(() => ({ service, browser }));

  it('lets a guest use everything, and creates no guest on the service before something is won', async () => {
    const own = await publishStage(service, creator);
    await using(pageOf(own), async (page) => {
      const game = await playedGame(page);
      const { env, version, player, online, muted } = await game.welcome();
      assert.deepEqual(
        [env, version, player.guest, player.handle, online, muted],
        ['live', 1, true, null, true, false],
      );
      assert.deepEqual(await game.get('scores.top', 'points', {}), []);
      const key = await guestKeyOf(page);
      assert.match(key ?? '', /^[A-Za-z0-9_-]{43}$/u);
      assert.equal(await game.get('saves.get', 'slot'), null);
      assert.equal((await guests()).length, 0);

      assert.deepEqual(await game.get('achievements.unlock', 'first'), { first: true });
      assert.equal(await guestKeyOf(page), key);
      const toast = page.locator('.toast--won');
      await toast.getByText('Unlocked').waitFor();
      assert.match((await toast.textContent()) ?? '', /First light10 points/u);
      assert.equal(await game.get('stats.add', 'jumps', 3), 3);
      await toast.getByText('Jumper').waitFor();
      await page.getByText('First light (you have it)').waitFor();

      const { run, seed } = await game.get<{ run: string; seed: string }>('run', 'points');
      assert.ok(seed.length > 0);
      // It stays for six seconds, so on a slow machine it may be gone when the test has looked at the rest.
      const offer = page.locator('.toast', { hasText: 'Sign in, and your scores count.' });
      const [result] = await Promise.all([
        game.get('run.submit', run, 1_200, {}),
        offer.getByRole('button', { name: 'Close' }).click(),
      ]);
      assert.deepEqual([result.rank, result.best, result.entries], [1, 1_200, 0]);
      await page.locator('.standing').getByText('You would be').waitFor();
      await game.get('scores.submit', 'points', 1_300);
      await page.locator('.standing').getByText('1,300').waitFor();
      assert.equal(await page.getByText('Sign in, and your scores count.').count(), 0);
      assert.equal(await game.code('run.submit', run, 1, {}), 'closed');
      assert.equal(await game.code('player.token'), 'sign_in_required');
      assert.deepEqual(await boardOf(own), []);
    });
  });

  it('keeps a guest’s saves, JSON and bytes, and reports what another tab wrote meanwhile', () =>
    using(
      pageOf(slug),
      async (page, context) => {
        const [one, other] = [await playedGame(page), await playedGame(await open(context, pageOf(slug)))];
        const first = await one.get<{ version: number }>('saves.set', 'slot', { level: 3 }, 0);
        const seen = await other.get<{ data: unknown; version: number }>('saves.get', 'slot');
        assert.deepEqual([seen.data, seen.version], [{ level: 3 }, first.version]);
        const second = await other.get<{ version: number }>('saves.set', 'slot', { level: 4 }, seen.version);
        const refused = await one.ask('saves.set', 'slot', { level: 5 }, first.version);
        assert.ok('err' in refused && refused.err.code === 'conflict');
        assert.deepEqual(refused.err.detail?.theirs?.data, { level: 4 });
        assert.equal(refused.err.detail?.theirs?.version, second.version);
        await one.frame.evaluate(() => game.ask('saves.set', 'bytes', new Uint8Array([1, 2, 255]), 0));
        const bytes = await other.frame.evaluate(async () => {
          const answer = await game.ask('saves.get', 'bytes');
          const { data } = 'ok' in answer ? (answer.ok as { data: Uint8Array }) : { data: null };
          return data instanceof Uint8Array ? [...data] : data;
        });
        assert.deepEqual(bytes, [1, 2, 255]);
        // A map of 200 by 200 fields, 80 KB as JSON.
        const map = await one.get<{ data: number[] }>('saves.set', 'map', new Array(40_000).fill(7), 0);
        assert.equal(map.data.length, 40_000);
        assert.equal(await one.get('saves.delete', 'map'), null);
        assert.equal((await one.get<unknown[]>('saves.list')).length, 2);
        assert.equal(await one.get('saves.delete', 'bytes'), null);
        assert.equal(await one.get('saves.get', 'bytes'), null);
      },
      { mayComplain: /status of 409/u },
    ));

  it('deletes a slot that another tab writes at the same moment', () =>
    using(
      pageOf(slug),
      async (page, context) => {
        const [one, other] = [await playedGame(page), await playedGame(await open(context, pageOf(slug)))];
        const { version } = await one.get<{ version: number }>('saves.set', 'raced', { level: 1 }, 0);
        await page.route(
          /\/api\/player\/saves\/raced/u,
          async (route) => {
            await other.get('saves.set', 'raced', { level: 2 }, version);
            await route.continue();
          },
          { times: 1 },
        );
        assert.equal(await one.get('saves.delete', 'raced'), null);
        assert.equal(await other.get('saves.get', 'raced'), null);
      },
      { mayComplain: /status of 409/u },
    ));

  it('moves the board when a player’s score comes in, and says who is next', async () => {
    const own = await publishStage(service, creator);
    const rival = await signUp(service, { handle: 'rival' });
    const mover = await signUp(service, { handle: 'mover' });
    await using(
      pageOf(own),
      async (page) => {
        await (await playedGame(page)).get('scores.submit', 'points', 500);
        await page.locator('.standing').getByText('You are').waitFor();
      },
      { as: rival },
    );
    const url = pageOf(own);
    const context = await browser.newContext({
      baseURL: service.baseUrl,
      viewport: { width: 1360, height: 850 },
    });
    try {
      await context.addCookies(
        [...mover.cookies].map(([name, value]) => ({ name, value, url: service.baseUrl })),
      );
      const page = await open(context, url);
      const game = await playedGame(page);
      await page.evaluate(() => {
        window.layoutShift = 0;
        new PerformanceObserver((list) => {
          // A second message pushes the first one up, over the page.
          for (const entry of list.getEntries() as LayoutShift[])
            if (entry.sources.some(({ node }) => !(node instanceof Element && node.closest('.toasts'))))
              window.layoutShift += entry.value;
        }).observe({ type: 'layout-shift' });
      });
      const below = await game.get('scores.submit', 'points', 400);
      assert.deepEqual([below.rank, below.next], [2, { handle: 'rival', score: 500 }]);
      await page.locator('.standing').getByText('Next: @rival, 500').waitFor();
      await page.locator('.ranking > li').nth(1).getByText('@mover').waitFor();
      await page.evaluate(() => document.getAnimations().map((animation) => animation.finish()));
      const moves = page.waitForFunction(() =>
        document
          .getAnimations()
          .some(
            ({ effect }) =>
              effect instanceof KeyframeEffect &&
              effect.target instanceof HTMLElement &&
              effect.target.dataset.row === 'mover' &&
              'transform' in (effect.getKeyframes()[0] ?? {}),
          ),
      );
      // A message stays for six seconds.
      const won = page.locator('.toast--won').getByText('New best, place 1').waitFor();
      const [above] = await Promise.all([game.get('scores.submit', 'points', 600), moves, won]);
      assert.deepEqual([above.rank, above.improved, above.next], [1, true, null]);
      await page.locator('.ranking > li[aria-current]').getByText('@mover').waitFor();
      await page.locator('.standing').getByText('New best').waitFor();
      assert.equal(await page.evaluate(() => window.layoutShift), 0);
    } finally {
      await context.close();
    }
    assert.deepEqual(
      (await boardOf(own)).map(({ handle, score }) => [handle, score]),
      [
        ['mover', 600],
        ['rival', 500],
      ],
    );
  });

  it('queues calls offline, and sends them in order once it is online again', async () => {
    const own = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'in_tunnel' });
    await using(
      pageOf(own),
      async (page, context) => {
        const game = await playedGame(page);
        const { run } = await game.get<{ run: string }>('run', 'points');
        await context.setOffline(true);
        assert.equal(await game.heard('online'), false);
        await game.forget();
        assert.deepEqual(
          [await game.get('stats.add', 'jumps', 1), await game.get('stats.add', 'jumps', 2)],
          [1, 3],
        );
        assert.deepEqual(await game.get('achievements.unlock', 'first'), { first: true });
        const early = await game.get<{ version: number }>('saves.set', 'slot', 'early', 0);
        assert.ok(early.version < 0);
        const late = await game.get<{ version: number }>('saves.set', 'slot', 'late', early.version);
        assert.equal((await game.get<{ data: unknown }>('saves.get', 'slot')).data, 'late');
        assert.equal((await game.get('run.submit', run, 800, {})).queued, true);
        assert.equal(await game.code('scores.submit', 'points', 1), 'offline');
        // A message stays for six seconds.
        await Promise.all([
          ...['Jumper', 'First light'].map((title) => page.locator('.toast--won').getByText(title).waitFor()),
          context.setOffline(false),
        ]);
        assert.equal(await game.heard('online'), true);
        await page.locator('.standing').getByText('800').waitFor();
        const after = await game.get<{ version: number }>('saves.set', 'slot', 'after', late.version);
        assert.ok(after.version > 0);
        assert.equal(await game.get('stats.add', 'jumps', 1), 4);
      },
      { as: player, mayComplain: /ERR_INTERNET_DISCONNECTED/u },
    );
    assert.deepEqual(
      (await boardOf(own)).map(({ handle, score }) => [handle, score]),
      [['in_tunnel', 800]],
    );
  });

  it('plays a preview in the sandbox, with its own boards', async () => {
    const own = await publishStage(service, creator);
    const preview = await publishStagePreview(service, creator, { space: own });
    const player = await signUp(service, { handle: 'tries_it' });
    await using(
      preview,
      async (page) => {
        const game = await playedGame(page);
        const { env, version } = await game.welcome();
        assert.deepEqual([env, version], ['sandbox', 2]);
        await game.get('scores.submit', 'points', 300);
        await page.locator('.ranking > li[aria-current]').getByText('@tries_it').waitFor();
        await page.getByText('goes to the sandbox').waitFor();
      },
      { as: player },
    );
    assert.deepEqual(await boardOf(own), []);
  });

  describe('looks right', () => {
    it('while an achievement is shown, never over the middle of the game', () =>
      walk(browser, {
        name: 'stage-toast',
        url: pageOf(slug),
        until: async (page) => {
          const game = await playedGame(page);
          await page.locator('.frame--loading').waitFor({ state: 'detached' });
          await game.get('achievements.unlock', 'first');
          await game.get('scores.submit', 'points', 1_234);
          await page.locator('.toast--won').waitFor();
          await page.locator('.standing').getByText('1,234').waitFor();
          const over = await page.evaluate(() => {
            const stage = document.querySelector('.stage')?.getBoundingClientRect();
            if (!stage) return null;
            const middle = new DOMRect(
              stage.x + stage.width / 3,
              stage.y + stage.height / 3,
              stage.width / 3,
              stage.height / 3,
            );
            return [...document.querySelectorAll('.toast')].filter((toast) => {
              const box = toast.getBoundingClientRect();
              return (
                box.left < middle.right &&
                box.right > middle.left &&
                box.top < middle.bottom &&
                box.bottom > middle.top
              );
            }).length;
          });
          assert.equal(over, 0);
        },
      }));

    it('while somebody signs in over the game', () =>
      walk(browser, {
        name: 'stage-sign-in',
        url: pageOf(slug),
        until: async (page) => {
          const game = await playedGame(page);
          await game.frame.evaluate(() => void game.ask('player.signIn'));
          await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).waitFor();
        },
      }));
  });
});
