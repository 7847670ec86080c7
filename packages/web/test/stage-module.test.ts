import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Player, Result, Save } from '@spaceport/contract/sdk-protocol';
import type { Browser, Frame, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { game as drawnGame, shownSpace } from './seed.ts';
import { field, listen, openContext, takenOver } from './walk.ts';

/** The parts of the player module that this test uses. */
declare const Spaceport: {
  env: string;
  ready(): Promise<void>;
  player: { get(): Player; signIn(): Promise<Player> };
  run(board: string): Promise<{ submit(score: number): Promise<Result> }>;
  saves: {
    get(slot: string): Promise<Save | null>;
    set(slot: string, data: unknown): Promise<Save>;
    delete(slot: string): Promise<void>;
  };
  achievements: { unlock(key: string): Promise<{ first: boolean }> };
  loading(fraction: number): void;
};

const played = {
  fields: shownSpace,
  boards: [{ key: 'points', title: 'Points' }],
  achievements: [{ key: 'first', title: 'First light', points: 10 }],
};

describe('the served module and the page around it', () => {
  let service: TestService;
  let browser: Browser;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ({ slug } = (await publishLive(service, await service.creator('mira'), drawnGame, played)).space);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /**
   * @param storage whether the frame's own storage works or throws; browsers differ for frames of other sites
   */
  async function using(
    storage: 'works' | 'refused',
    work: (page: Page, frame: Frame) => Promise<void>,
    device: 'desktop' | 'phone' = 'desktop',
  ): Promise<void> {
    const url = `${service.baseUrl}/s/${slug}`;
    const context = await openContext(browser, { device, scheme: 'light' }, { url });
    try {
      await context.addInitScript((how) => {
        if (window === window.parent || how === 'works') return;
        Object.defineProperty(window, 'localStorage', {
          configurable: true,
          get() {
            throw new DOMException('Access is denied.', 'SecurityError');
          },
        });
      }, storage);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const complaints = listen(page);
      await page.goto(url);
      await takenOver(page);
      // On a phone, a game that was not made for phones waits for a press.
      const play = page.getByRole('button', { name: /^Play/u });
      if (await play.count()) await play.click();
      await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
      const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
      assert.ok(frame);
      await frame.evaluate(() => Spaceport.ready());
      await work(page, frame);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }

  for (const [storage, device] of [
    ['works', 'desktop'],
    ['refused', 'desktop'],
    ['refused', 'phone'],
  ] as const)
    it(`lets a guest play and save where the frame’s own storage is ${storage}, on a ${device}`, () =>
      using(
        storage,
        async (page, frame) => {
          assert.equal(await frame.evaluate(() => Spaceport.env), 'live');
          const { first } = await frame.evaluate(() => Spaceport.achievements.unlock('first'));
          assert.equal(first, true);
          await page.locator('.toast--won').getByText('First light').waitFor();
          const saved = await frame.evaluate(async () => {
            await Spaceport.saves.set('slot', { level: 1 });
            await Spaceport.saves.set('slot', { level: 2 });
            return (await Spaceport.saves.get('slot'))?.data;
          });
          assert.deepEqual(saved, { level: 2 });
          const left = await frame.evaluate(async () => {
            const writing = Spaceport.saves.set('slot', { level: 3 });
            await Spaceport.saves.delete('slot');
            await writing;
            return Spaceport.saves.get('slot');
          });
          assert.equal(left, null);
          const result = await frame.evaluate(async () => (await Spaceport.run('points')).submit(50));
          assert.equal(result.rank, 1);
        },
        device,
      ));

  it('shows that a game has loaded, which calls as often as it may', () =>
    using('works', async (page, frame) => {
      const bar = page.getByRole('progressbar', { name: /^Loading / });
      await frame.evaluate(() => Spaceport.loading(0.5));
      await bar.waitFor();
      await frame.evaluate(async () => {
        // The limit is 30 in a second.
        await Promise.allSettled(Array.from({ length: 40 }, () => Spaceport.saves.get('slot')));
        Spaceport.loading(1);
      });
      await bar.waitFor({ state: 'detached' });
    }));

  it('goes on with a game that leads to another site, by a link or a script', () =>
    using('works', async (page, frame) => {
      await frame.evaluate(() => {
        Object.assign(window, { stillHere: true });
        const link = document.createElement('a');
        // Above the canvas.
        link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 1';
        link.textContent = 'Credits';
        document.body.append(link);
      });
      const link = page.frameLocator('iframe').getByText('Credits');
      for (const address of ['https://example.org/', 'mailto:mira@example.org']) {
        const told = page.waitForEvent('console', (message) => message.text().includes(address));
        await link.evaluate((a: HTMLAnchorElement, to) => Object.assign(a, { href: to }), address);
        await link.click();
        await told;
      }
      const told = page.waitForEvent('console', (message) => message.text().includes('/by-script'));
      await frame.evaluate(() => location.assign('https://example.org/by-script'));
      await told;
      assert.equal(await frame.evaluate(() => Reflect.get(window, 'stillHere')), true);
    }));

  it('is told everything that the module lets through while the page is busy', () =>
    using('works', async (page, frame) => {
      const bar = page.getByRole('progressbar', { name: /^Loading / });
      await frame.evaluate(() => Spaceport.loading(0.5));
      await bar.waitFor();
      const calling = frame.evaluate(async () => {
        // As often as it may, for two seconds, which the page reads together afterwards.
        const calls: Promise<unknown>[] = [];
        for (let call = 0; call < 50; call++) {
          calls.push(Spaceport.saves.get('slot'));
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
        Spaceport.loading(1);
        return (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected').length;
      });
      await page.evaluate(() => {
        const until = performance.now() + 3_000;
        while (performance.now() < until);
      });
      assert.equal(await calling, 0);
      await bar.waitFor({ state: 'detached' });
    }));

  it('makes an account over the game, with a handle, and continues with it', () =>
    using('works', async (page, frame) => {
      const asked = frame.evaluate(() => Spaceport.player.signIn());
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Make an account' }).click();
      await field(page, 'Your name').fill('Nell');
      await field(page, 'E-mail address').fill('nell@example.org');
      await field(page, 'Password').fill('a few words to keep');
      await dialog.getByRole('button', { name: 'Make the account' }).click();
      await field(page, 'Handle').fill('nell_plays');
      await dialog.getByRole('button', { name: 'Take it and play on' }).click();
      assert.equal((await asked).handle, 'nell_plays');
      await page.getByRole('button', { name: '@nell_plays' }).waitFor();
      const result = await frame.evaluate(async () => (await Spaceport.run('points')).submit(70));
      assert.equal(result.improved, true);
      await page.locator('.ranking > li[aria-current]').getByText('@nell_plays').waitFor();
    }));

  it('knows the player before the first script, in the document’s frame and after a restart', async () => {
    const watching = {
      'index.html': `<!doctype html><title>First</title><canvas></canvas><script>window.first = { player: Spaceport.player.get(), locale: Spaceport.locale };</script>`,
    };
    const { space } = await publishLive(service, await service.creator(), watching, played);
    const player = await signUp(service, { handle: 'known_before' });
    const url = `${service.baseUrl}/s/${space.slug}`;
    const context = await openContext(browser, undefined, { url, as: player });
    try {
      const page = await context.newPage();
      await page.goto(url);
      await takenOver(page);
      const known = async () => {
        await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
        const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
        assert.ok(frame);
        const first = await frame.waitForFunction(() => Reflect.get(window, 'first'), null, { polling: 50 });
        const { player: knownPlayer, locale } = await first.jsonValue();
        return [knownPlayer.handle, knownPlayer.guest, locale];
      };
      // Chromium may add the kind of the system's locale: «en-US@posix».
      const locale = await page.evaluate(() => navigator.language.replace(/[.@].*/u, ''));
      assert.deepEqual(await known(), ['known_before', false, locale]);
      await page.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
      await page.getByRole('button', { name: 'Restart' }).click();
      await page.locator('iframe:not([data-before])').waitFor();
      assert.deepEqual(await known(), ['known_before', false, locale]);
    } finally {
      await context.close();
    }
  });
});
