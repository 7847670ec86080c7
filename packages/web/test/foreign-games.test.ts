import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { type Files, publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { gameOf } from './kept-game.ts';
import { shownSpace } from './seed.ts';
import { openContext, takenOver } from './walk.ts';

/** Keeps every message that reaches its window, and takes each for text, as engines and games for portals do. */
const listening: Files = {
  'index.html': `<!doctype html><title>Listening</title><canvas></canvas><script>
const taken = [];
window.onmessage = ({ data }) => taken.push(data);
addEventListener('message', ({ data }) => JSON.parse(data), true);
</script>`,
};

/** Has things of its own under names that the module needs, as games with a map and a parent element have. */
const ownNames: Files = {
  'index.html': `<!doctype html><title>Own names</title><canvas></canvas><p id="said"></p><script>
var Map = { tiles: [1] }, Set = 'a set', URL = 'levels/', parent = { x: 1 };
var Proxy = 1, TextEncoder = 2, WeakMap = 3, WeakSet = 4;
var round = 1 + Number(localStorage.getItem('round'));
localStorage.setItem('round', round);
Spaceport.saves.set('level', { tiles: Map.tiles }).then(() => Spaceport.rooms.create()).then(
  (room) => { said.textContent = 'Round ' + round + ', ' + room.members().length + ' in the room'; },
  (error) => { said.textContent = error.code + ': ' + error.message; },
);
</script>`,
};
declare const taken: unknown[];
declare const Spaceport: { ready(): Promise<void>; player: { get(): { id: string } } };

describe('a game that knows nothing of the service', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Awaited<ReturnType<TestService['creator']>>;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    creator = await service.creator();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function playing(files: Files, work: (frame: Frame, page: Page) => Promise<void>): Promise<void> {
    const { space } = await publishLive(service, creator, files, { fields: shownSpace });
    const url = `${service.baseUrl}/s/${space.slug}`;
    const context = await openContext(browser, { device: 'desktop', scheme: 'light' }, { url });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const failures: string[] = [];
      page.on('pageerror', ({ message }) => failures.push(message));
      page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
      await page.goto(url);
      await takenOver(page);
      await work(await gameOf(page), page);
      assert.deepEqual(failures, []);
    } finally {
      await context.close();
    }
  }

  it('hears no messages but its own', () =>
    playing(listening, async (frame) => {
      await frame.evaluate(() => Spaceport.ready());
      assert.notEqual(await frame.evaluate(() => Spaceport.player.get().id), '');
      await frame.evaluate(() => postMessage('"own"', '*'));
      await frame.waitForFunction(() => taken.length > 0);
      assert.deepEqual(await frame.evaluate(() => taken), ['"own"']);
    }));

  it('may have a Map and a parent of its own', () =>
    playing(ownNames, async (_, page) => {
      const said = page.frameLocator('iframe.frame').locator('#said');
      await said.getByText('Round 1, 1 in the room').waitFor();
      await page.reload();
      await takenOver(page);
      await said.getByText('Round 2, 1 in the room').waitFor();
    }));
});
