import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext } from 'playwright-core';
import { openBrowser, openProfile, openProfileIn } from '../../server/test/browser.ts';
import { publishFiles, publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { game, gameOf, inAccount, kept, open, playing, plays, until } from './kept-game.ts';
import { shownSpace } from './seed.ts';
import { openContext, takenOver } from './walk.ts';

declare const heard: string[];

const viewport = { width: 1360, height: 850 };
// A headless browser's own user agent says that it is a robot.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36';

/** Runs in a frame: refuses it storage as most browsers do, in case this one (npm's) does not. */
function refuse(): void {
  if (window === window.parent) return;
  try {
    localStorage.getItem('');
  } catch {
    return;
  }
  for (const area of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, area, {
      configurable: true,
      get() {
        throw new DOMException('Access is denied.', 'SecurityError');
      },
    });
}

/** Runs in a frame: returns what its storage has, or the name of the error that it throws. */
function ask(): string | null {
  try {
    return localStorage.getItem('best');
  } catch (error) {
    return (error as DOMException).name;
  }
}

describe('the storage of an unchanged game', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    creator = await service.creator('mira');
    slug = await published();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const published = async (details: Parameters<typeof publishLive>[3] = {}, files = game) =>
    (await publishLive(service, creator, files, { fields: shownSpace, ...details })).space.slug;
  const urlOf = (space: string) => `${service.baseUrl}/s/${space}`;

  const contextOf = (as?: SignedUp, of = browser, url = urlOf(slug)) =>
    openContext(of, { device: 'desktop', scheme: 'light' }, { url, ...(as && { as }) });
  const keeps = async (context: BrowserContext) => {
    const first = await open(context, urlOf(slug));
    assert.equal(first.begun, 'nothing');
    await plays(first.frame, '7');
    await kept(first.page, '7');
    await first.page.getByRole('button', { name: 'Restart' }).click();
    await until(async () => (await playing(first.page)).begun === '7');
    await first.page.close();
    const again = await open(context, urlOf(slug));
    assert.equal(again.begun, '7');
    const other = await open(context, urlOf(slug));
    await plays(other.frame, '9');
    await again.frame.waitForFunction(() => heard.includes('best=9'), null, { polling: 50 });
    assert.equal(await again.frame.evaluate(() => localStorage.best), '9');
    // The game reloads itself.
    await other.frame.evaluate(() => location.reload());
    await until(async () => (await playing(other.page)).begun === '9');
    const { frame } = await playing(other.page);
    assert.equal(await frame.evaluate(() => sessionStorage.round), '2');
    const full = await frame.evaluate(() => {
      try {
        localStorage.setItem('big', 'x'.repeat(1024 * 1024));
        return 'kept';
      } catch (error) {
        return [(error as DOMException).name, localStorage.length].join();
      }
    });
    assert.equal(full, 'QuotaExceededError,1');
  };

  it('survives restarts, reloads and tabs when the browser refuses it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spaceport-test-'));
    const opened = async () => {
      const context = await openProfileIn(folder, { frames: 'refused', viewport, userAgent });
      await context.addInitScript(refuse);
      return context;
    };
    try {
      const before = await opened();
      await keeps(before);
      await before.close();
      const context = await opened();
      assert.equal((await open(context, urlOf(slug))).begun, '9');
      await context.close();
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('survives them as well when the browser gives frames a storage', async () => {
    const context = await openProfile({ viewport, userAgent });
    try {
      await keeps(context);
    } finally {
      await context.close();
    }
  });

  it('stays in the browser alone when the space asks for that', async () => {
    const unkept = urlOf(await published({ storage: false }));
    const [refused, profile] = [await contextOf(), await openProfile({ viewport, userAgent })];
    await refused.addInitScript(refuse);
    try {
      const page = await refused.newPage();
      await page.goto(unkept);
      await takenOver(page);
      const frame = await gameOf(page);
      assert.equal(await frame.evaluate(ask), 'SecurityError');
      const own = await open(profile, unkept);
      await plays(own.frame, '5');
      assert.equal(await own.frame.evaluate(ask), '5');
      await own.page.reload();
      await takenOver(own.page);
      assert.equal((await playing(own.page)).begun, '5');
      const names = await own.page.evaluate(async () =>
        (await indexedDB.databases()).map(({ name }) => name),
      );
      assert.ok(!names.includes('spaceport-kept'), String(names));
    } finally {
      await refused.close();
      await profile.close();
    }
  });

  it('starts a game again that ran before its page knew what another tab keeps', async () => {
    const space = await published();
    const context = await contextOf();
    try {
      const first = await open(context, urlOf(space));
      await plays(first.frame, '7');
      await kept(first.page, '7');
      // The list that the head of the document reads has not reached the next tab.
      await first.page.evaluate(() => localStorage.removeItem('spaceport-kept'));
      assert.equal((await open(context, urlOf(space))).begun, '7');
    } finally {
      await context.close();
    }
  });

  it('belongs to a guest at first, and follows the account to another profile', async () => {
    const ada = await signUp(service, { handle: 'ada' });
    const [one, other] = [await contextOf(), await contextOf(ada)];
    try {
      const guest = await open(one, urlOf(slug));
      await plays(guest.frame, '3');
      await kept(guest.page, '3');
      assert.equal(await inAccount(ada, slug), null);
      await guest.page.close();
      // The visitor signs in on another page of the service.
      await one.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url: service.baseUrl })));
      const signedIn = await open(one, urlOf(slug));
      assert.equal(signedIn.begun, '3');
      await until(async () => (await inAccount(ada, slug)) === '3');
      await signedIn.frame.evaluate(() => sessionStorage.setItem('here', '1'));
      const there = await open(other, urlOf(slug));
      assert.equal(there.begun, '3');
      assert.deepEqual(await there.frame.evaluate(() => ({ ...sessionStorage })), { round: '1' });
      await plays(there.frame, '4');
      await until(async () => (await inAccount(ada, slug)) === '4');
      await signedIn.page.reload();
      await takenOver(signedIn.page);
      assert.equal((await playing(signedIn.page)).begun, '4');
    } finally {
      await one.close();
      await other.close();
    }
  });

  // Usually a closing page gets the last messages of its frame, but the browser may end the page first.
  it('follows the account with texts that are no valid Unicode, as games that compress them write', async () => {
    const eve = await signUp(service, { handle: 'eve' });
    const [one, other] = [await contextOf(eve), await contextOf(eve)];
    const packed = 'half \ud800, null \0';
    try {
      const here = await open(one, urlOf(slug));
      const written = here.page.waitForResponse(
        (answer) => answer.request().method() === 'PUT' && answer.url().includes('/saves/'),
      );
      await plays(here.frame, packed);
      assert.equal((await written).status(), 200);
      assert.equal((await open(other, urlOf(slug))).begun, packed);
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('has what the game wrote while its tab was closing', async () => {
    const saving = "addEventListener('beforeunload', () => localStorage.setItem('best', next));";
    const space = await published({}, { ...game, 'game.js': `${game['game.js']}\n${saving}` });
    const context = await contextOf();
    try {
      let [before, kept] = ['nothing', 0];
      for (const next of ['once', 'twice', 'thrice', 'again', 'at last']) {
        const { page, frame, begun } = await open(context, urlOf(space));
        if (before !== 'nothing' && begun === before) kept++;
        before = next;
        await frame.evaluate((value) => Object.assign(globalThis, { next: value }), next);
        const closed = page.waitForEvent('close');
        await page.close({ runBeforeUnload: true });
        await closed;
      }
      assert.ok(kept > 0, 'all of it was lost');
    } finally {
      await context.close();
    }
  });

  it('is separate in a preview', async () => {
    const space = await published();
    const { previewPageUrl } = await publishFiles(creator, game, { space });
    assert.ok(previewPageUrl);
    const context = await contextOf();
    try {
      const tried = await open(context, previewPageUrl);
      await plays(tried.frame, '99');
      await kept(tried.page, '99');
      assert.equal((await open(context, previewPageUrl)).begun, '99');
      assert.equal((await open(context, urlOf(space))).begun, 'nothing');
    } finally {
      await context.close();
    }
  });
});
