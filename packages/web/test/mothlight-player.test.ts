import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { askUntil } from '../../server/test/ask-until.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import {
  type Mothlight,
  often,
  openMothlight,
  previewMothlight,
  publishMothlight,
  spaceBar,
} from './mothlight.ts';
import { field, listen, openContext } from './walk.ts';

/** The parts of the game's state that this test uses. */
declare const mothlight: { readonly paused: boolean; readonly best: number };

describe('Mothlight, played with an account', () => {
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

  async function using(
    work: (game: Mothlight, context: BrowserContext) => Promise<void>,
    { as, at = url, mayComplain }: { as?: SignedUp; at?: string; mayComplain?: RegExp } = {},
  ): Promise<void> {
    const context = await openContext(browser, undefined, { url, as });
    try {
      const complaints: string[][] = [];
      context.on('page', (page) => complaints.push(listen(page, mayComplain)));
      const game = await openMothlight(context, at);
      await work(game, context);
      assert.deepEqual(complaints.flat(), []);
    } finally {
      await context.close();
    }
  }

  const ranked = async (board: string, space = 'mothlight') =>
    (
      (await service.anonymous.call('GET', `/api/gallery/${space}/boards/${board}/entries`)).json()
        .entries as { handle: string; score: number }[]
    ).map(({ handle, score }) => [handle, score] as const);
  const scoreOf = async (handle: string) =>
    (await ranked('score')).filter(([of]) => of === handle).map(([, score]) => score);
  /** Waits for the save: the game saves after its score has arrived. */
  const savedBy = async (player: SignedUp) => {
    const answer = await askUntil(
      () => player.call('GET', '/api/player/saves/best?space=mothlight'),
      ({ status }) => status === 200,
    );
    return answer.json().data as { score: number; days: Record<string, number> };
  };
  const words = (score: number) => score.toLocaleString('en-US');

  it('shows the player on the moving board, and knows them on another device', async () => {
    const player = await signUp(service, { handle: 'ada_flies' });
    let best = 0;
    await using(
      async (game) => {
        const { page } = game;
        // A message stays for six seconds. On a slow machine the test may reach it late.
        const won = Promise.all(
          ['First light', 'New best, place 1'].map((text) =>
            page.locator('.toast--won').getByText(text).waitFor({ timeout: 90_000 }),
          ),
        );
        [best] = await Promise.all([game.fly(spaceBar(page), 2), won]);
        assert.ok(best >= 100, `${best}`);
        await game.says(/Rank 1 of 1$/u);
        await page.locator('.ranking > li[aria-current]').getByText('@ada_flies').waitFor();
        await page.locator('.standing').getByText('New best').waitFor();
      },
      { as: player },
    );
    assert.deepEqual(await scoreOf('ada_flies'), [best]);
    assert.equal((await savedBy(player)).score, best);
    await using(
      async ({ frame }) => {
        await frame.waitForFunction((score) => mothlight.best === score, best, often);
      },
      { as: player },
    );
  });

  it('pauses a flight during a sign-in, continues it, and counts it', async () => {
    const player = await signUp(service, { handle: 'ben_lands' });
    await using(async (game) => {
      const { page, frame } = game;
      const asGuest = await game.fly(spaceBar(page), 1);
      await game.says('It would be rank');
      await game.takeOff(spaceBar(page));
      await game.hold();
      await frame.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
      await page.locator('.standing').getByRole('button', { name: 'Sign in' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await frame.waitForFunction(() => mothlight.paused, null, often);
      await field(page, 'E-mail address').fill(player.email);
      await field(page, 'Password').fill(player.password);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await frame.waitForFunction(() => !mothlight.paused, null, often);
      await page.getByRole('button', { name: '@ben_lands' }).waitFor();
      await frame.waitForFunction(() => document.hasFocus(), null, often);
      await spaceBar(page).up();
      await spaceBar(page).down();
      const flown = await game.flyOn(spaceBar(page), 2);
      await game.says(/Rank \d of \d/u);
      assert.equal(await frame.evaluate('sameDocument'), true);
      assert.equal(await frame.evaluate('Spaceport.player.get().handle'), 'ben_lands');
      const best = Math.max(asGuest, flown);
      assert.deepEqual(await scoreOf('ben_lands'), [best]);
      assert.equal((await savedBy(player)).score, best);
    });
  });

  it('runs in two tabs, and neither loses data of the other', async () => {
    const player = await signUp(service, { handle: 'cleo_twice' });
    await using(
      async (one, context) => {
        const other = await openMothlight(context, url);
        const first = await one.fly(spaceBar(one.page), 1);
        await one.says(/Rank/u);
        // The second tab read the slot before the first one wrote it, so its write is a conflict.
        await other.page.frameLocator('iframe').getByRole('button', { name: 'Tonight' }).click();
        await spaceBar(other.page).down();
        const second = await other.flyOn(spaceBar(other.page), 1);
        await other.says(/Rank/u);
        const { score, days } = await savedBy(player);
        assert.deepEqual([score, Object.values(days)], [first, [second]]);
      },
      { as: player, mayComplain: /status of (409|412)/u },
    );
  });

  it('works offline: a flight counts once, after the connection is back', async () => {
    const player = await signUp(service, { handle: 'dora_tunnel' });
    await using(
      async (game, context) => {
        const { page, frame } = game;
        await game.takeOff(spaceBar(page));
        // The run began while there was a connection.
        await page.waitForFunction(
          () => performance.getEntriesByName(`${origin}/api/player/runs`).length > 1,
        );
        await context.setOffline(true);
        const flown = await game.flyOn(spaceBar(page), 1);
        await game.says('It counts once you are online again');
        assert.deepEqual(await scoreOf('dora_tunnel'), []);
        await Promise.all([
          page.locator('.toast--won').getByText('First light').waitFor(),
          context.setOffline(false),
        ]);
        await page.locator('.standing strong').getByText(words(flown)).waitFor();
        assert.deepEqual(await scoreOf('dora_tunnel'), [flown]);
        const lit = await frame.evaluate('mothlight.flight.lit');
        const stats = (await player.call('GET', '/api/player/me/export')).json();
        assert.equal(JSON.stringify(stats).includes('lanterns'), true, JSON.stringify(stats));
        assert.ok(lit);
        assert.equal((await savedBy(player)).score, flown);
      },
      { as: player, mayComplain: /ERR_INTERNET_DISCONNECTED/u },
    );
  });

  it('keeps the data of a preview apart', async () => {
    const player = await signUp(service, { handle: 'eve_previews' });
    const preview = await previewMothlight(service, await service.creator('mira'));
    await using(
      async (game) => {
        const { page } = game;
        const flown = await game.fly(spaceBar(page), 1);
        await game.says(/Rank 1 of 1$/u);
        await page.locator('.ranking > li[aria-current]').getByText('@eve_previews').waitFor();
        await page.getByText('goes to the sandbox').waitFor();
        assert.ok(flown >= 100, `${flown}`);
      },
      { as: player, at: preview },
    );
    assert.deepEqual(await scoreOf('eve_previews'), []);
    assert.equal((await player.call('GET', '/api/player/saves/best?space=mothlight')).status, 404);
  });
});
