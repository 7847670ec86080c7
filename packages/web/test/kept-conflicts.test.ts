import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { game, inAccount, kept, open, playing, plays, until } from './kept-game.ts';
import { shownSpace } from './seed.ts';
import { openContext } from './walk.ts';

declare global {
  /** How much later it is for a page whose clock is late. */
  var laterMs: number | undefined;
}

/** Returns the values that were replaced, and are kept for the player. */
async function lostBests(who: SignedUp): Promise<string[]> {
  const { losers } = (await who.call('GET', '/api/player/me')).json();
  const bests = losers.map(async ({ id }: { id: string }) => {
    const { data } = (await who.call('GET', `/api/player/me/losers/${id}`)).json();
    return new Map<string, string>(data.entries).get('best') ?? '';
  });
  return (await Promise.all<string>(bests)).toSorted();
}

describe('the storage of an unchanged game on two devices', () => {
  let service: TestService;
  let browser: Browser;
  let slug: string;
  let url: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator('mira');
    slug = (await publishLive(service, creator, game, { fields: shownSpace })).space.slug;
    url = `${service.baseUrl}/s/${slug}`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const contextOf = (as: SignedUp) =>
    openContext(browser, { device: 'desktop', scheme: 'light' }, { url, as });
  const inSlot = (who: SignedUp) => inAccount(who, slug);

  it('keeps this device’s copy after two devices played apart, and offers the other one', async () => {
    const nell = await signUp(service, { handle: 'nell' });
    const [one, other] = [await contextOf(nell), await contextOf(nell)];
    try {
      const [here, there] = [await open(one, url), await open(other, url)];
      await plays(there.frame, '50');
      await until(async () => (await inSlot(nell)) === '50');
      await plays(here.frame, '1');
      const toast = here.page.locator('.toast', { hasText: 'had other progress' });
      await toast.waitFor();
      assert.equal(await inSlot(nell), '1');
      await plays(here.frame, '2');
      await until(async () => (await inSlot(nell)) === '2');
      await here.page.getByRole('button', { name: 'Restart' }).click();
      await until(async () => (await playing(here.page)).begun === '2');
      await here.page.route('**/api/player/saves/**', (route) => route.abort());
      await toast.getByRole('button', { name: 'Use that' }).click();
      await here.page.locator('.toast', { hasText: 'nothing has changed' }).waitFor();
      await here.page.unroute('**/api/player/saves/**');
      await toast.getByRole('button', { name: 'Use that' }).click();
      await until(async () => (await playing(here.page)).begun === '50');
      assert.equal(await inSlot(nell), '50');
      assert.deepEqual(await lostBests(nell), ['2']);
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('is not in conflict with a write of its own that was not answered', async () => {
    const tess = await signUp(service, { handle: 'tess' });
    const context = await contextOf(tess);
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    try {
      const { page, frame } = await open(context, url);
      // The service gets the write, and the page no answer.
      await page.route('**/api/player/saves/**', async (route) => {
        await route.fetch().catch(() => {});
        await isOver;
      });
      await plays(frame, '1');
      await until(async () => (await inSlot(tess)) === '1');
      await plays(frame, '2');
      await kept(page, '2');
      await page.close({ runBeforeUnload: true });
      const again = await open(context, url);
      assert.equal(again.begun, '2');
      await until(async () => (await inSlot(tess)) === '2');
      assert.deepEqual(await again.page.locator('.toast').allTextContents(), []);
    } finally {
      end();
      await context.close();
    }
  });

  it('goes on with what was played last when the clock of this device is late', async () => {
    const otto = await signUp(service, { handle: 'otto' });
    const [one, other] = [await contextOf(otto), await contextOf(otto)];
    await one.addInitScript(() => {
      const now = Date.now;
      Date.now = () => now() - 3_600_000 + (globalThis.laterMs ?? 0);
    });
    try {
      const [here, there] = [await open(one, url), await open(other, url)];
      await one.route('**/api/player/saves/**', (route) => route.abort());
      await plays(there.frame, '50');
      await until(async () => (await inSlot(otto)) === '50');
      await here.page.evaluate(() => Object.assign(globalThis, { laterMs: 60_000 }));
      await plays(here.frame, '1');
      await kept(here.page, '1');
      await here.page.close();
      await one.unroute('**/api/player/saves/**');
      assert.equal((await open(one, url)).begun, '1');
    } finally {
      await one.close();
      await other.close();
    }
  });
});
