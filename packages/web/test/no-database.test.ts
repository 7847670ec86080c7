import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { game, kept, open, playing, plays } from './kept-game.ts';
import { shownSpace } from './seed.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { openContext, takenOver } from './walk.ts';

declare const Spaceport: {
  readonly saves: {
    get(slot: string): Promise<{ readonly data: unknown } | null>;
    set(slot: string, data: unknown): Promise<unknown>;
  };
};

/** Runs in a page: refuses it databases, as browsers do that keep nothing, or have no room. */
function refuseDatabases(how: 'at the name' | 'at the opening'): void {
  const refuse = () => {
    throw new DOMException('Access is denied.', 'SecurityError');
  };
  if (how === 'at the name') Object.defineProperty(window, 'indexedDB', { get: refuse });
  else IDBFactory.prototype.open = refuse;
}

/** Runs in a page: refuses it all storage, and as Firefox does then, channels and locks between tabs. */
function refuseAll(): void {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  for (const area of ['indexedDB', 'localStorage', 'sessionStorage'])
    Object.defineProperty(window, area, { configurable: true, get: refuse });
  Object.defineProperty(window, 'BroadcastChannel', { value: refuse });
  LockManager.prototype.request = async () => refuse();
}

describe('a page without its databases', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    creator = await service.creator('mira');
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const urlOf = (space: string) => `${service.baseUrl}/s/${space}`;

  for (const how of ['at the name', 'at the opening'] as const)
    it(`lets a player save and win where the browser refuses them ${how}`, async () => {
      const url = urlOf(await publishStage(service, creator));
      const player = await signUp(service, { handle: how.replaceAll(' ', '_') });
      const context = await openContext(browser, undefined, { url, as: player });
      await context.addInitScript(refuseDatabases, how);
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        await page.goto(url);
        await takenOver(page);
        const { get, code } = await playedGame(page);
        assert.equal(await get('saves.get', 'slot'), null);
        await get('saves.set', 'slot', { level: 1 }, 0);
        assert.deepEqual((await get<{ data: unknown }>('saves.get', 'slot')).data, { level: 1 });
        assert.equal(await get('stats.add', 'jumps', 2), 2);
        assert.deepEqual(await get('achievements.unlock', 'first'), { first: true });
        // Nothing can wait for the line here, so the game is told.
        await page.route('**/api/player/**', (route) => route.abort());
        assert.equal(await code('stats.add', 'jumps', 1), 'offline');
        assert.equal(await code('saves.set', 'slot', { level: 2 }, 1), 'offline');
        await page.unroute('**/api/player/**');
        assert.equal(await get('stats.add', 'jumps', 1), 3);
        await get('saves.delete', 'slot');
        assert.equal(await get('saves.get', 'slot'), null);
      } finally {
        await context.close();
      }
    });

  it('gives a game its storage and its player where the browser refuses the page all of it', async () => {
    const { space } = await publishLive(service, creator, game, { fields: shownSpace });
    const context = await openContext(browser, undefined, { url: urlOf(space.slug) });
    await context.addInitScript(refuseAll);
    try {
      const { page, frame, begun } = await open(context, urlOf(space.slug));
      assert.equal(begun, 'nothing');
      await plays(frame, '1');
      // The page answers calls after what came before them.
      await frame.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        await Spaceport.saves.set('slot', { level: 1 });
      });
      const left = page.waitForEvent('framedetached');
      await page.getByRole('button', { name: 'Restart' }).click();
      await left;
      const again = await playing(page);
      assert.equal(again.begun, '1');
      const save = await again.frame.evaluate(() => Spaceport.saves.get('slot'));
      assert.deepEqual(save?.data, { level: 1 });
    } finally {
      await context.close();
    }
  });

  it('keeps a storage after the browser has closed them, as phones do in the background', async () => {
    const { space } = await publishLive(service, creator, game, { fields: shownSpace });
    const context = await openContext(browser, undefined, { url: urlOf(space.slug) });
    try {
      const { page, frame } = await open(context, urlOf(space.slug));
      await plays(frame, '1');
      await kept(page, '1');
      const devtools = await context.newCDPSession(page);
      await devtools.send('Storage.clearDataForOrigin', {
        origin: service.baseUrl,
        storageTypes: 'indexeddb',
      });
      await plays(frame, '2');
      await kept(page, '2');
    } finally {
      await context.close();
    }
  });
});
