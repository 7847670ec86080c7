import assert from 'node:assert/strict';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import type { Files } from '../../server/test/files.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { takenOver } from './walk.ts';

/** A game that does not know the service. It reads its storage first of all, without catching errors. */
export const game: Files = {
  'index.html': `<!doctype html><title>Old</title><canvas></canvas><script src="game.js"></script>`,
  'game.js': `globalThis.begun = localStorage.getItem('best') ?? 'nothing';
globalThis.heard = [];
addEventListener('storage', ({ key, newValue }) => heard.push(key + '=' + newValue));
sessionStorage.setItem('round', 1 + Number(sessionStorage.round ?? 0));`,
};
declare const begun: string;

/** Returns the game's frame in a page. */
export async function gameOf(page: Page): Promise<Frame> {
  await page.frameLocator('iframe.frame').locator('canvas').waitFor({ state: 'attached' });
  const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame() && each.url() !== '');
  assert.ok(frame);
  return frame;
}

/** Returns the game's frame in a page, and the value that the game read at its start. */
export async function playing(page: Page): Promise<{ frame: Frame; begun: string }> {
  const frame = await gameOf(page);
  await frame.waitForFunction(() => 'begun' in globalThis, null, { polling: 50 });
  return { frame, begun: await frame.evaluate(() => begun) };
}

/** Opens a page, and waits until its game runs with the storage that is kept, and the page hears what it writes. */
export async function open(context: BrowserContext, url: string) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await takenOver(page);
  // A frame that did not wait starts again.
  await page.locator('iframe.frame:not([data-keeps])').waitFor();
  await page.locator('.stage-mute:enabled').waitFor({ state: 'attached' });
  return { page, ...(await playing(page)) };
}

/** Stores a value from the game. */
export const plays = (frame: Frame, best: string) =>
  frame.evaluate((value) => localStorage.setItem('best', value), best);

/** Waits until the page has stored this value. `waitForFunction` would take a promise as true. */
export const kept = (page: Page, best: string) =>
  until(() =>
    page.evaluate(
      (value) =>
        new Promise<boolean>((resolve) => {
          const opening = indexedDB.open('spaceport-kept', 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
          opening.onsuccess = () => {
            const all = opening.result.transaction('kept').objectStore('kept').getAll();
            all.onsuccess = () => {
              opening.result.close();
              resolve(JSON.stringify(all.result).includes(`["best","${value}"]`));
            };
          };
        }),
      best,
    ),
  );

/** Asks again and again until it is so, for two minutes. While a frame is replaced, its evaluations fail. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  let failure: unknown;
  const note = (error: unknown) => {
    failure = error;
    return false;
  };
  while (!(await isSo().catch(note))) {
    assert.ok(Date.now() < end, `not so in two minutes; the last failure: ${failure}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the value in the slot that the page keeps in the account, null if there is none. */
export async function inAccount(who: SignedUp, space: string): Promise<string | null> {
  const answer = await who.call('GET', `/api/player/saves?space=${space}&slot=~storage`);
  assert.equal(answer.status, 200, answer.text());
  const [save] = answer.json().saves;
  return save ? (new Map<string, string>(save.data.entries).get('best') ?? null) : null;
}
