import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { runDemo } from '../../server/test/run-demo.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { leaveUndrawn } from './undrawn.ts';
import { listen, openContext, takenOver } from './walk.ts';

/** The state that the game shows in its window. */
declare const twoComets: {
  readonly rules: { laps: number };
  readonly state: {
    readonly screen: string;
    readonly took: number | null;
    readonly chosen: { readonly title: string };
    readonly comet: { readonly s: number; readonly d: number; readonly drift: number } | null;
    readonly other: { readonly s: number } | null;
  };
};
declare const Spaceport: {
  ready(): Promise<void>;
  achievements: { list(): Promise<{ key: string; unlockedAt: string | null }[]> };
};

const often = { polling: 50 };

interface Racer {
  readonly page: Page;
  readonly frame: Frame;
  readonly game: FrameLocator;
  readonly complaints: string[];
  /** Presses a button of the game. */
  press(name: string | RegExp): Promise<void>;
  shows(screen: string): Promise<unknown>;
}

/** Returns whether the place of the ring is free: a square in the middle of a screen that is low and wide. */
function isRingFree(): boolean {
  const [left, right] = [(innerWidth - innerHeight) / 2, (innerWidth + innerHeight) / 2];
  const shown = [...document.querySelectorAll('[data-for="draw"] :is(h2, p, input, button)')]
    .map((each) => each.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  const isBeside = (box: DOMRect) =>
    box.left >= 0 && box.right <= innerWidth && (box.right <= left || box.left >= right);
  return innerWidth / innerHeight > 3 / 2 && shown.length === 6 && shown.every(isBeside);
}

describe('Two Comets, for two people', () => {
  let service: TestService;
  let browser: Browser;
  let ada: SignedUp;
  let ben: SignedUp;
  let url: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    await runDemo(service, 'two-comets');
    ada = await signUp(service, { handle: 'ada_races' });
    ben = await signUp(service, { handle: 'ben_races' });
    url = `${service.baseUrl}/s/two-comets`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function racer(address: string, device: 'desktop' | 'phone', as?: SignedUp): Promise<Racer> {
    const context = await openContext(browser, { device, scheme: 'dark' }, { url: address, as });
    await leaveUndrawn(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = listen(page, /status of (403|404)/u);
    await page.goto(address);
    await takenOver(page);
    const start = page.getByRole('button', { name: /^(?:Play|Start)/u });
    const game = page.frameLocator('iframe');
    await start.or(page.locator('iframe')).first().waitFor();
    if (await start.isVisible()) await start.click();
    await game.locator('#sky').waitFor();
    const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
    assert.ok(frame);
    await frame.waitForFunction(() => typeof twoComets === 'object', null, often);
    await frame.evaluate(() => Spaceport.ready());
    return {
      page,
      frame,
      game,
      complaints,
      press: (name) => game.getByRole('button', { name }).click(),
      shows: (screen) =>
        frame
          .waitForFunction((name) => twoComets.state.screen === name, screen, often)
          .catch(async (error: unknown) => {
            throw new Error(await game.locator('body').innerText(), { cause: error });
          }),
    };
  }

  /** Draws a ring with the mouse, once around. */
  async function draw({ page, game }: Racer): Promise<void> {
    const box = await game.locator('#sky').boundingBox();
    assert.ok(box);
    const at = (part: number) => {
      const angle = part * 2 * Math.PI;
      const size = Math.min(box.width, box.height) * 0.32;
      return [
        box.x + box.width / 2 + 1.3 * size * Math.cos(angle),
        box.y + box.height / 2 + size * Math.sin(angle),
      ] as const;
    };
    await page.mouse.move(...at(0));
    await page.mouse.down();
    for (let step = 1; step <= 40; step++) await page.mouse.move(...at(step / 40));
    await page.mouse.up();
  }

  it('lets them draw, publish, choose, race and like a ring: with keys on a desktop, and on a phone', async () => {
    const one = await racer(url, 'desktop', ada);
    await one.press('Draw a ring');
    await draw(one);
    await one.page.setViewportSize({ width: 740, height: 360 });
    await one.frame.waitForFunction(isRingFree, null, often);
    await one.page.setViewportSize({ width: 1360, height: 850 });
    await one.game.getByLabel('Name').fill('<i>Ada’s</i> bend');
    await one.press('Publish');
    await one.game.getByText('“<i>Ada’s</i> bend” is published.').waitFor();
    await one.press('Back');
    await one.press('Invite a friend');
    await one.shows('lobby');
    const link = await one.game.getByLabel('The link to this room').inputValue();

    const two = await racer(link, 'phone', ben);
    await two.shows('lobby');
    await one.game.getByText('@ben_races is here').waitFor();
    await two.game.getByText('@ada_races is here').waitFor();
    await two.game.getByText('<i>Ada’s</i> bend by @ada_races').waitFor();
    // The guest chooses a ring, and both players get it.
    await two.press('Another ring');
    await two.game.getByRole('button', { name: 'Three petals' }).click();
    await one.game.getByText('Three petals').waitFor();
    await one.press('Another ring');
    await one.game.getByRole('button', { name: /^<i>Ada’s<.i> bend/u }).click();
    await two.game.getByText('<i>Ada’s</i> bend by @ada_races').waitFor();

    for (const { frame } of [one, two])
      await frame.evaluate(() => {
        twoComets.rules.laps = 1;
      });
    await one.press('Ready');
    await two.game.getByText('@ada_races is ready').waitFor();
    await two.press('Ready');
    await Promise.all([one.shows('race'), two.shows('race')]);
    for (const { frame } of [one, two])
      await frame.waitForFunction(() => (twoComets.state.other?.s ?? 0) > 50, null, often);
    // One player holds a key for a while, which moves that comet inwards. The other presses nothing.
    await one.page.keyboard.down('Space');
    await one.frame.waitForFunction(() => (twoComets.state.comet?.d ?? 0) > 0.5, null, often);
    await one.page.keyboard.up('Space');
    await Promise.all([one.shows('result'), two.shows('result')]);
    await one.game.getByText(/^You: .+ The other one: /u).waitFor();
    await two.game.getByText(/^You: .+ The other one: /u).waitFor();
    const took = await Promise.all(
      [one, two].map(({ frame }) => frame.evaluate(() => twoComets.state.took ?? 0)),
    );
    const [mine = 0, theirs = 0] = took;
    const words = (isAhead: boolean) => (isAhead ? 'You are ahead' : 'The other one was ahead');
    if (mine !== theirs) {
      await one.game.getByRole('heading', { name: words(mine < theirs) }).waitFor();
      await two.game.getByRole('heading', { name: words(theirs < mine) }).waitFor();
    }
    await one.frame.waitForFunction(
      async () =>
        (await Spaceport.achievements.list()).some(({ key, unlockedAt }) => key === 'company' && unlockedAt),
      null,
      often,
    );
    await two.press('Like this ring');
    await two.game.getByRole('button', { name: 'Like this ring', pressed: true }).waitFor();
    const rings = await service.anonymous.call(
      'GET',
      '/api/player/content?space=two-comets&kind=ring',
      undefined,
      {
        'sec-fetch-site': 'same-origin',
      },
    );
    const [ring] = rings.json().items;
    assert.deepEqual([ring.title, ring.handle, ring.likes], ['<i>Ada’s</i> bend', 'ada_races', 1]);

    // They race again, with a finger down on the phone, until one player leaves.
    await two.press('Again');
    await one.press('Again');
    await Promise.all([one.shows('race'), two.shows('race')]);
    await one.page.close();
    await two.shows('result');
    assert.deepEqual([...one.complaints, ...two.complaints], []);
    await Promise.all([one.page.context().close(), two.page.context().close()]);
  });

  it('can be played alone, against the own best time', async () => {
    const { page, press, shows, frame, game, complaints } = await racer(url, 'phone');
    await frame.evaluate(() => {
      twoComets.rules.laps = 1;
    });
    await press('Practise alone');
    await game.getByRole('button', { name: 'First ring' }).click();
    await shows('race');
    await shows('result');
    await game.getByRole('heading', { name: 'You are home' }).waitFor();
    await press('Again');
    await shows('race');
    await frame.waitForFunction(() => (twoComets.state.other?.s ?? 0) > 100, null, often);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});
