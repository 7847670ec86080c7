import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { openStage, stagePages } from './stage-pages.ts';

describe('a guest whose page does not know who is signed in', () => {
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

  const { pageOf, using, signIn, become } = stagePages(() => ({ service, browser }));
  const mayComplain = /status of (?:401|409)|ERR_FAILED/u;

  it('plays as the account that has signed in while the page read itself again', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'back_at_once' });
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        await become(context, null);
        const { promise, resolve } = Promise.withResolvers<void>();
        const asked = page.waitForRequest(pageOf(slug));
        await page.route(pageOf(slug), async (route) => {
          await promise;
          await route.continue();
        });
        // The call fails, because it was the account's.
        assert.equal(await game.code('stats.add', 'jumps', 1), 'closed');
        assert.equal(((await game.heard('player')) as { guest: boolean }).guest, true);
        assert.equal(await game.get('stats.add', 'jumps', 2), 2);
        await asked;
        await become(context, player);
        const signedIn = game.get<{ handle: string }>('player.signIn');
        resolve();
        assert.equal((await signedIn).handle, 'back_at_once');
        assert.equal(await game.get('stats.add', 'jumps', 1), 3);
      },
      { as: player, mayComplain },
    );
  });

  it('is told that signing in did not work if the page cannot find out who is signed in', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'is_not_found' });
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        await become(context, null);
        let reads = 0;
        await page.route(pageOf(slug), (route) => {
          reads += 1;
          return reads <= 2 ? route.abort() : route.continue();
        });
        assert.equal(await game.code('stats.add', 'jumps', 1), 'closed');
        await page.locator('.toast').filter({ hasText: 'You are signed out' }).waitFor();
        assert.equal(await game.code('player.signIn'), 'cancelled');
        await page.getByText('No answer came.').waitFor();
        const asked = game.get<{ handle: string }>('player.signIn');
        await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
        await signIn(page, player);
        assert.equal((await asked).handle, 'is_not_found');
      },
      { as: player, mayComplain },
    );
  });
});
