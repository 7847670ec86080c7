import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishFiles, publishLive } from '../../server/test/files.ts';
import { owningPlayer } from '../../server/test/owning-player.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { game, shownSpace } from './seed.ts';
import { listen, openContext, takenOver, usePage, walk } from './walk.ts';
import { seedWinnings } from './winnings.ts';

describe('a space’s page', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let operator: Persona;
  let visitor: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    operator = await service.creator('keeper', { operator: true });
    creator = await service.creator('mira');
    visitor = await signUp(service, { handle: 'visitor', name: 'Vera' });
    ({ slug } = (await publishLive(service, creator, game, { fields: shownSpace })).space);
    await seedWinnings(service, creator, slug);
    await postAsServer('/api/v1/scores', { board: 'lamps', player: 'visitor', score: 9_000 });
    await postAsServer('/api/v1/achievements', { achievement: 'first', player: 'visitor' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function postAsServer(path: string, body: unknown): Promise<void> {
    const { secret } = (await creator.call('POST', `/api/spaces/${slug}/secret`)).json();
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await service.anonymous.call('POST', path, body, headers);
    assert.ok(answer.status < 300, answer.text());
  }
  const pageOf = (of: string) => `${service.baseUrl}/s/${of}`;
  const fresh = async (details: Partial<Parameters<typeof publishLive>[3]> = {}) =>
    (await publishLive(service, creator, game, { fields: shownSpace, ...details })).space.slug;
  /** A person without an account. Pages that they publish stay for a week. */
  const nobody = (): Persona => ({ ...creator, ...service.anonymous });
  const playsOf = async (of: string) =>
    (await service.anonymous.call('GET', `/api/gallery/${of}`)).json().plays as number;
  const operate = async (of: string, action: string) => {
    const answer = await operator.call('POST', `/api/operator/spaces/${of}/${action}`, { reason: 'A test.' });
    assert.equal(answer.status, 200, answer.text());
  };

  const using = (
    of: string,
    work: (page: Page) => Promise<void>,
    { as, mayComplain }: { as?: SignedUp; mayComplain?: RegExp } = {},
  ) => usePage(browser, { url: pageOf(of), as, mayComplain, timeoutMs: 15_000 }, work);
  /** Presses by keyboard: after scrolling, a browser may still send a click to the previous place's frame. */
  const press = (page: Page, role: 'button' | 'tab', name: string) =>
    page.getByRole(role, { name }).press('Enter');
  const running = (page: Page) => page.frameLocator('iframe').locator('canvas').waitFor();

  describe('looks right', () => {
    it('to somebody who has played it', () =>
      walk(browser, {
        name: 'space-played',
        url: pageOf(slug),
        as: visitor,
        until: async (page) => {
          await running(page);
          await page.locator('.frame--loading').waitFor({ state: 'detached' });
          await press(page, 'button', 'Around me');
          await page.getByRole('button', { name: 'Around me', pressed: true }).waitFor();
          await page.locator('.ranking [aria-current]').waitFor();
          await page.getByText('(you have it)').waitFor({ state: 'attached' });
        },
      }));

    it('before it is started', async () => {
      const waiting = await fresh({ start: 'click' });
      await walk(browser, {
        name: 'space-start',
        url: pageOf(waiting),
        until: (page) => page.getByRole('button', { name: 'Play' }).waitFor(),
      });
    });

    it('while it is shared', () =>
      walk(browser, {
        name: 'space-share',
        url: pageOf(slug),
        until: async (page) => {
          await page.getByRole('button', { name: 'Share' }).click();
          await page.getByRole('dialog').waitFor();
        },
      }));

    it('before anything is live', async () => {
      const { player, persona } = await owningPlayer(service);
      const { space } = await publishFiles(persona, game, { fields: shownSpace });
      await walk(browser, {
        name: 'space-nothing',
        url: pageOf(space.slug),
        as: player,
        until: (page) => page.locator('main', { hasText: 'its versions', hasNotText: /Published/ }).waitFor(),
      });
    });

    it('published without an account, and when it has ended', async () => {
      const made = await publishFiles(nobody(), game, { fields: shownSpace });
      const ofNobody = made.space.slug;
      await walk(browser, { name: 'space-unlisted', url: pageOf(ofNobody), until: running });
      assert.match((await service.get(pageOf(ofNobody))).text(), /name="robots" content="noindex"/u);
      await operate(ofNobody, 'remove');
      await walk(browser, { name: 'space-removed', url: pageOf(ofNobody), mayComplain: /status of 410/u });
    });

    it('under review', async () => {
      const held = await fresh();
      await operate(held, 'hold');
      await walk(browser, { name: 'space-held', url: pageOf(held), mayComplain: /status of 410/u });
      await operate(held, 'release');
      assert.equal((await service.get(pageOf(held))).status, 200);
    });
  });

  it('shows its boards: each window, the top, and the entries around the visitor', async () => {
    await using(
      slug,
      async (page) => {
        const places = page.locator('.ranking > li');
        await places.nth(9).waitFor();
        assert.equal(await places.count(), 10);
        assert.match((await places.first().textContent()) ?? '', /^1@nova.*12,400/u);
        await press(page, 'button', 'Show more');
        await places.nth(12).waitFor();
        await press(page, 'button', 'Today');
        assert.equal(await page.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed'), 'true');
        await press(page, 'button', 'Around me');
        await page.locator('.ranking [aria-current]').getByText('@visitor').waitFor();
        assert.equal(await page.locator('.standing').innerText(), 'Play, and your place is shown here.');
        await press(page, 'tab', 'Fastest night');
        await page.getByText('1:01').first().waitFor();
        await press(page, 'button', 'Around me');
        await page.getByText('You are not in this ranking yet').waitFor();
      },
      // The API answers 404 for the neighbours of a player who is in no ranking.
      { as: visitor, mayComplain: /status of 404/u },
    );
  });

  it('shows achievements, but not the text of hidden ones', async () => {
    await using(
      slug,
      async (page) => {
        await page.getByText('First light (you have it)').waitFor();
        await page.getByText('Hidden achievement').waitFor();
        assert.equal(await page.getByText('Out with the tide').count(), 0);
      },
      { as: visitor },
    );
  });

  it('counts a play of a visitor who stays', async () => {
    const played = await fresh();
    await using(played, async (page) => {
      const counted = page.waitForResponse((answer) => answer.url().endsWith('/plays'));
      await running(page);
      // A play is counted once, either by this request or by the session of a game that has players.
      assert.equal((await counted).status(), 202);
    });
    assert.equal(await playsOf(played), 1);
  });

  it('waits for the click when it is set to, and then counts a play', async () => {
    const waiting = await fresh({ start: 'click' });
    await using(waiting, async (page) => {
      assert.equal(await page.locator('iframe').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Restart' }).isDisabled(), true);
      const counted = page.waitForResponse((answer) => answer.url().endsWith('/plays'));
      await page.getByRole('button', { name: 'Play' }).click();
      await counted;
      await running(page);
    });
    assert.equal(await playsOf(waiting), 1);
  });

  it('keeps the server-rendered frame running while script takes the page over', async () => {
    const context = await openContext(browser, undefined, { url: pageOf(slug) });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const complaints = listen(page);
      let letScriptGo = () => {};
      const held = new Promise<void>((resolve) => {
        letScriptGo = resolve;
      });
      await page.route('**/assets/*.js', async (route) => {
        if (!/early/u.test(route.request().url())) await held;
        await route.continue();
      });
      await page.goto(pageOf(slug), { waitUntil: 'commit' });
      await running(page);
      const [, inside] = page.frames();
      await inside?.evaluate(() => document.body.append('level two'));
      letScriptGo();
      await takenOver(page);
      await page.getByRole('button', { name: 'Share' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.frameLocator('iframe').getByText('level two').waitFor();
      assert.equal(page.frames()[1], inside);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  });

  it('restarts the game, and shows it in full screen', async () => {
    await using(slug, async (page) => {
      await running(page);
      const [, inside] = page.frames();
      await inside?.evaluate(() => document.body.append('level two'));
      await page.frameLocator('iframe').getByText('level two').waitFor();
      await page.getByRole('button', { name: 'Restart' }).click();
      await running(page);
      assert.equal(await page.frameLocator('iframe').getByText('level two').count(), 0);

      await page.getByRole('button', { name: 'Full screen' }).click();
      await page.waitForFunction(() => {
        const { width, height } = document.querySelector('iframe')?.getBoundingClientRect() ?? {};
        return width === innerWidth && height === innerHeight;
      });
      await page.getByRole('button', { name: 'Leave full screen' }).click();
      await page.waitForFunction(() => document.fullscreenElement === null);
      assert.equal(await page.locator('.stage--filling').count(), 0);
    });
  });

  it('takes the shape of the chosen device', async () => {
    await using(slug, async (page) => {
      await running(page);
      await page.getByRole('button', { name: 'Phone' }).click();
      await page.waitForFunction(() => {
        const { width = 1, height = 0 } = document.querySelector('iframe')?.getBoundingClientRect() ?? {};
        return height > width;
      });
    });
  });

  it('offers its address for sharing', async () => {
    await using(slug, async (page) => {
      await page.getByRole('button', { name: 'Share' }).click();
      assert.equal(await page.getByLabel('Address').inputValue(), pageOf(slug));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });

  it('can be reported with a reason', async () => {
    await using(slug, async (page) => {
      await page.getByRole('button', { name: 'Report' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await dialog.getByText('Choose what fits best.').waitFor();
      await dialog.getByLabel('What is wrong with it?').selectOption('spam');
      await dialog.getByLabel(/^Anything that helps/u).fill('It is one long advertisement.');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Thank you.').waitFor();
    });
    const { reports } = (await operator.call('GET', '/api/operator/reports')).json();
    assert.deepEqual(
      [reports[0].space.slug, reports[0].reason, reports[0].message],
      [slug, 'spam', 'It is one long advertisement.'],
    );
  });

  it('redirects from the address that it had before it was claimed', async () => {
    let token: string | undefined;
    const onCreated = ({ claimToken }: { claimToken?: string | undefined }) => {
      token = claimToken;
    };
    const made = await publishFiles(nobody(), game, { fields: shownSpace }, { onCreated });
    const claimed = await visitor.call('POST', '/api/account/claim', { claim_token: token });
    assert.equal(claimed.status, 200, claimed.text());
    assert.notEqual(claimed.json().slug, made.space.slug);
    const { status, headers } = await service.get(pageOf(made.space.slug));
    assert.deepEqual([status, headers.location], [303, pageOf(claimed.json().slug)]);
  });

  it('says that it has ended when nobody claimed it', async () => {
    const made = await publishFiles(nobody(), game, { fields: shownSpace });
    service.clock.advance({ days: 8 });
    const answer = await service.get(pageOf(made.space.slug));
    assert.equal(answer.status, 410);
    assert.match(answer.text(), /not claimed in time/u);
  });
});
