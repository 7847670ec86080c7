import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { openStage, stagePages } from './stage-pages.ts';
import { press } from './walk.ts';

describe('a new version of a running game', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  before(async () => {
    ({ service, browser, creator } = await openStage());
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { pageOf, using } = stagePages(() => ({ service, browser }));

  it('is offered when it is live, and loaded only on request', async () => {
    const own = await publishStage(service, creator);
    await using(pageOf(own), async (page) => {
      const game = await playedGame(page);
      await publishStage(service, creator, { space: own });
      await page.evaluate(() => dispatchEvent(new Event('online')));
      assert.deepEqual(await game.heard('update'), { version: 2 });
      await page.getByText('Version 2 is there.').waitFor();
      assert.equal((await game.welcome()).version, 1);
      await page.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
      await press(page, 'Load it');
      await page.locator('iframe:not([data-before])').waitFor();
      const fresh = await playedGame(page);
      assert.equal((await fresh.welcome()).version, 2);
    });
  });

  it('is offered in place of an earlier one', async () => {
    const own = await publishStage(service, creator);
    await using(pageOf(own), async (page) => {
      await playedGame(page);
      for (const version of [2, 3]) {
        await publishStage(service, creator, { space: own });
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await page.getByText(`Version ${version} is there.`).waitFor();
      }
      assert.equal(await page.getByText(/^Version \d is there\.$/u).count(), 1);
    });
  });

  it('is offered again after it could not be loaded', async () => {
    const own = await publishStage(service, creator);
    await using(
      pageOf(own),
      async (page, context) => {
        await playedGame(page);
        await publishStage(service, creator, { space: own });
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await page.getByText('Version 2 is there.').waitFor();
        await context.setOffline(true);
        await press(page, 'Load it');
        await page.getByText('Version 2 could not be loaded.').waitFor();
        await context.setOffline(false);
        await page.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
        await press(page, 'Try again');
        await page.locator('iframe:not([data-before])').waitFor();
        assert.equal((await (await playedGame(page)).welcome()).version, 2);
      },
      { mayComplain: /ERR_INTERNET_DISCONNECTED/u },
    );
  });
});
