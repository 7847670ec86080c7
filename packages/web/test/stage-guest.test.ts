import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { guestKeyOf, stagePages } from './stage-pages.ts';

describe('a guest without an account', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', GUESTS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    creator = await service.creator('mira');
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { pageOf, boardOf, open, using, signIn } = stagePages(() => ({ service, browser }));

  /** Returns a function that takes the space offline, or online again. */
  const stateOf = (slug: string) => async (to: 'offline' | 'online') =>
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/${to}`)).status, 200);

  it('has the same id in a space before and after the first unlock, and another id in another space', async () => {
    const [own, other] = [await publishStage(service, creator), await publishStage(service, creator)];
    await using(pageOf(own), async (page, context) => {
      const idIn = async (at: typeof page) => {
        const game = await playedGame(at);
        const { player } = await game.welcome();
        // The page welcomes a game before a slow service has answered, and names the player later.
        return player.id || ((await game.heard('player')) as { id: string }).id;
      };
      const first = await idIn(page);
      assert.ok(first.length > 0);
      await (await playedGame(page)).get('stats.add', 'jumps', 1);
      await page.reload();
      assert.equal(await idIn(page), first);
      assert.equal(await idIn(await open(context, pageOf(own))), first);
      assert.notEqual(await idIn(await open(context, pageOf(other))), first);
    });
  });

  it('keeps unsent calls until the space is online again', async () => {
    const own = await publishStage(service, creator);
    const state = stateOf(own);
    await using(
      pageOf(own),
      async (page) => {
        const game = await playedGame(page);
        assert.equal(await game.get('stats.add', 'jumps', 2), 2);
        const calls = '**/api/player/**';
        await page.route(calls, (route) => route.abort());
        assert.equal(await game.get('stats.add', 'jumps', 10), 12);
        await game.get('saves.set', 'slot', 'from the tunnel', 0);
        await state('offline');
        const refused = page.waitForResponse('**/api/player/stats');
        await page.unroute(calls);
        assert.equal((await refused).status(), 409);
        await state('online');
        const saved = page.waitForResponse(
          (answer) => answer.url().includes('/api/player/saves/slot?') && answer.ok(),
        );
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await saved;
        assert.equal(await game.get('stats.add', 'jumps', 1), 13);
        assert.equal((await game.get<{ data: unknown }>('saves.get', 'slot')).data, 'from the tunnel');
      },
      { mayComplain: /ERR_FAILED|status of 409/u },
    );
  });

  it('keeps what is won while the space is offline, until it is online again', async () => {
    const own = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'stays_on' });
    const state = stateOf(own);
    await using(
      pageOf(own),
      async (page) => {
        const game = await playedGame(page);
        const { run } = await game.get<{ run: string }>('run', 'points');
        await state('offline');
        assert.equal((await game.get<{ queued?: true }>('run.submit', run, 7, {})).queued, true);
        assert.equal(await game.get('stats.add', 'jumps', 3), 3);
        await game.get('saves.set', 'slot', 'won meanwhile', 0);
        assert.equal(await game.code('scores.submit', 'points', 8), 'closed');
        await state('online');
        const saved = page.waitForResponse(
          (answer) => answer.url().includes('/api/player/saves/slot?') && answer.ok(),
        );
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await saved;
        assert.equal(await game.get('stats.add', 'jumps', 1), 4);
        assert.equal((await game.get<{ data: unknown }>('saves.get', 'slot')).data, 'won meanwhile');
        assert.deepEqual(
          (await boardOf(own)).map(({ handle, score }) => [handle, score]),
          [['stays_on', 7]],
        );
      },
      { as: player, mayComplain: /status of 409/u },
    );
  });

  it('counts what an account wins before it has a handle once it has one', async () => {
    const own = await publishStage(service, creator);
    const player = await signUp(service);
    await using(
      pageOf(own),
      async (page) => {
        const game = await playedGame(page);
        assert.deepEqual((await game.welcome()).player.handle, null);
        const result = await game.get('scores.submit', 'points', 700);
        assert.deepEqual([result.rank, result.best, result.entries], [1, 700, 0]);
        await page.locator('.standing').getByText('You would be').waitFor();
        await page.locator('.standing').getByRole('button', { name: 'Choose a handle' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Handle').fill('comes_by_and_by');
        await dialog.getByRole('button', { name: 'Take it and play on' }).click();
        await page.getByRole('button', { name: '@comes_by_and_by' }).waitFor();
        await service.settle();
      },
      { as: player },
    );
    assert.deepEqual(
      (await boardOf(own)).map(({ handle, score }) => [handle, score]),
      [['comes_by_and_by', 700]],
    );
  });

  it('gives an account the unsent calls of all spaces, also of those that are not open', async () => {
    const [own, other] = [await publishStage(service, creator), await publishStage(service, creator)];
    const player = await signUp(service, { handle: 'out_of_tunnel' });
    await using(
      pageOf(own),
      async (page, context) => {
        const game = await playedGame(page);
        await context.setOffline(true);
        assert.equal(await game.heard('online'), false);
        assert.equal(await game.get('stats.add', 'jumps', 4), 4);
        await game.get('saves.set', 'slot', 'from the tunnel', 0);
        await page.goto('about:blank');
        await context.setOffline(false);

        const elsewhere = await open(context, pageOf(other));
        const asked = (await playedGame(elsewhere)).get<{ handle: string }>('player.signIn');
        await elsewhere.getByRole('dialog').waitFor();
        await signIn(elsewhere, player);
        assert.equal((await asked).handle, 'out_of_tunnel');
        assert.equal(await guestKeyOf(elsewhere), null);

        const again = await playedGame(await open(context, pageOf(own)));
        assert.equal((await again.welcome()).player.handle, 'out_of_tunnel');
        // This call waits until the queued writes have been sent.
        assert.equal(await again.get('stats.add', 'jumps', 1), 5);
        assert.equal((await again.get<{ data: unknown }>('saves.get', 'slot')).data, 'from the tunnel');
        await page.goto(pageOf(other));
      },
      { mayComplain: /ERR_INTERNET_DISCONNECTED/u },
    );
  });
});
