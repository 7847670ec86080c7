import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { guestKeyOf, openStage, stagePages } from './stage-pages.ts';

describe('a game whose player changes', () => {
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

  const { pageOf, using, signIn } = stagePages(() => ({ service, browser }));
  const savedBy = async (who: SignedUp, slug: string, slot: string): Promise<unknown> =>
    (await who.get(`/api/player/saves?space=${slug}&slot=${slot}`)).json().saves[0]?.data;

  it('keeps the account when the answer to the guest’s session comes after the sign-in', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'signs_in_first' });
    const held = Promise.withResolvers<void>();
    await using(`${service.baseUrl}/`, async (page) => {
      let openings = 0;
      await page.route('**/api/player/sessions', async (route) => {
        const isFirst = openings === 0;
        openings += 1;
        const response = await route.fetch();
        if (isFirst) await held.promise;
        await route.fulfill({ response });
      });
      const late = page.waitForResponse('**/api/player/sessions');
      await page.goto(pageOf(slug));
      const game = await playedGame(page);
      const asked = game.get<{ handle: string }>('player.signIn');
      await page.getByRole('dialog').waitFor();
      await signIn(page, player);
      assert.equal((await asked).handle, 'signs_in_first');
      await game.forget();
      held.resolve();
      await (await late).finished();
      await game.get('saves.set', 'slot', 'the account’s', 0);
      assert.match(await game.get<string>('player.token'), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
      assert.equal(await guestKeyOf(page), null);
      assert.equal(openings, 2);
    });
    assert.equal(await savedBy(player, slug, 'slot'), 'the account’s');
  });
});
