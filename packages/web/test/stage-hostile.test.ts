import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Answer } from '@spaceport/contract/sdk-protocol';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { listen, openContext, takenOver } from './walk.ts';

declare const game: {
  ask(method: string, ...given: unknown[]): Promise<Answer>;
  send(message: unknown): void;
  welcomes: unknown[];
};

const markup = '<img src=x onerror="document.title=\'taken\'"><b>Bold</b>';

describe('a hostile game', () => {
  let service: TestService;
  let browser: Browser;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '100', GUESTS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    slug = await publishStage(service, await service.creator('mira'), {
      achievements: [{ key: 'first', title: markup, points: 1 }],
    });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function using(work: (page: Page) => Promise<void>, mayComplain?: RegExp): Promise<void> {
    const url = `${service.baseUrl}/s/${slug}`;
    const context = await openContext(browser, undefined, { url });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const complaints = listen(page, mayComplain);
      await page.goto(url);
      await takenOver(page);
      await work(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }

  it('gets “invalid” for malformed calls, and the page does not break', () =>
    using(async (page) => {
      const { frame, ask, code } = await playedGame(page);
      await frame.evaluate(() => {
        const round: unknown[] = [];
        round.push(round);
        for (const odd of [null, 1, 'x', [], {}, { id: 'x' }, { id: 1e9, m: 7, a: [] }, { m: 'x', a: round }])
          game.send(odd);
      });
      assert.equal(await code('scores.submit', 'points', 'many'), 'invalid');
      assert.equal(await code('run.submit', 'a run', 1, { replay: 'text' }), 'invalid');
      assert.equal(await code('saves.set', 'slot', { deep: Number.NaN }, 0), 'invalid');
      for (const method of ['constructor', '__proto__', 'toString', 'rooms.create'])
        assert.equal(await code(method), 'unsupported', method);
      const round = await frame.evaluate(async () => {
        const data: Record<string, unknown> = {};
        data.self = data;
        const answer = await game.ask('saves.set', 'slot', data, 0);
        return 'err' in answer ? answer.err.code : 'taken';
      });
      assert.ok(['invalid', 'too_large'].includes(round), round);
      assert.ok('ok' in (await ask('scores.top', 'points', {})));
    }));

  it('gets an error when it sends too much or too often, and the page stays smooth', () =>
    using(async (page) => {
      const { frame } = await playedGame(page);
      const large = await frame.evaluate(async () => {
        const answer = await game.ask('saves.set', 'slot', 'x'.repeat(300 * 1024), 0);
        return 'err' in answer ? answer.err.code : 'taken';
      });
      assert.equal(large, 'too_large');
      const codes = await frame.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_100));
        const answers = await Promise.all(Array.from({ length: 200 }, () => game.ask('none')));
        return answers.map((answer) => ('err' in answer ? answer.err.code : 'taken'));
      });
      assert.ok(codes.filter((each) => each === 'unsupported').length >= 30);
      assert.ok(codes.filter((each) => each === 'rate_limited').length > 100);
      // After a flood the page stops listening to the game, and works on.
      await frame.evaluate(() => {
        const big = 'x'.repeat(100_000);
        for (let count = 0; count < 5_000; count++) game.send({ id: count, m: 'none', a: [big] });
      });
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Restart' }).click();
      const again = await playedGame(page);
      assert.ok('ok' in (await again.ask('scores.top', 'points', {})));
    }));

  it('cannot have the page open sessions without an end', () =>
    using(async (page) => {
      const { frame } = await playedGame(page);
      let sessions = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/api/player/sessions')) sessions++;
      });
      const allHeard = page.evaluate(
        () =>
          new Promise((resolve) => {
            addEventListener('message', ({ data }) => data === 'all' && resolve(null));
          }),
      );
      await frame.evaluate((app) => {
        for (let load = 0; load < 200; load++)
          top?.postMessage({ spaceport: 1, hello: { versions: [1], version: 1, load: `load ${load}` } }, app);
        top?.postMessage('all', app);
      }, service.baseUrl);
      await allHeard;
      await frame.waitForFunction(() => game.welcomes.length > 1);
      assert.ok(sessions > 0 && sessions <= 10, String(sessions));
    }));

  it('cannot inject markup by its name or its achievements', () =>
    using(async (page) => {
      const { get } = await playedGame(page);
      await get('achievements.unlock', 'first');
      const toast = page.locator('.toast--won');
      await toast.waitFor();
      assert.ok((await toast.textContent())?.includes(markup));
      assert.equal(await toast.locator('img, b').count(), 0);
      assert.notEqual(await page.title(), 'taken');
    }));

  it('speaks only for itself, not for another frame, window, origin or player', () =>
    using(async (page) => {
      const { frame } = await playedGame(page);
      // A frame of the game's own and a frame without an origin also say hello, and the game claims another
      // player and version.
      await frame.evaluate((app) => {
        const inner = document.createElement('iframe');
        inner.src = location.href;
        document.body.append(inner);
        const nobody = document.createElement('iframe');
        nobody.setAttribute('sandbox', 'allow-scripts');
        nobody.srcdoc = `<script>top.postMessage({ spaceport: 1, hello: { versions: [1], version: 1, load: 'nobody' } }, '*')</${'script'}>`;
        document.body.append(nobody);
        top?.postMessage(
          { spaceport: 1, hello: { versions: [1], version: 99, load: 'other', player: 'x' } },
          app,
        );
      }, service.baseUrl);
      await frame.waitForFunction(() => game.welcomes.length === 2);
      const welcome = await frame.evaluate(
        () => game.welcomes.at(-1) as { version: number; player: { guest: boolean } },
      );
      assert.deepEqual([welcome.version, welcome.player.guest], [1, true]);
      // The answers above do not wait for the inner frame.
      await page
        .frameLocator('iframe')
        .frameLocator('iframe[src]')
        .locator('canvas')
        .waitFor({ state: 'attached' });
      const inner = page
        .frames()
        .find((each) => each.parentFrame() === frame && each.url().startsWith('http'));
      assert.ok(inner);
      await inner.waitForFunction(() => typeof game === 'object');
      await inner.evaluate((app) => {
        top?.postMessage({ spaceport: 1, hello: { versions: [1], version: 1, load: 'inner' } }, app);
      }, service.baseUrl);
      // This call is sent after the hello of the inner frame. Its answer shows that the hello was not
      // answered.
      assert.ok('ok' in (await frame.evaluate(() => game.ask('scores.top', 'points', {}))));
      assert.equal(await inner.evaluate(() => game.welcomes.length), 0);
      // The game in the inner frame also says hello to the outer game, which the browser reports.
    }, /does not match the recipient window/u));

  it('cannot be used by a site that frames our page', async () => {
    const thief: Server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Thief</title><iframe src="${service.baseUrl}/s/${slug}"></iframe>`);
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const refused = page.waitForEvent('console', (message) =>
        /frame-ancestors|X-Frame-Options|refused/iu.test(message.text()),
      );
      await page.goto(`http://127.0.0.1:${(thief.address() as AddressInfo).port}/`);
      await refused;
      assert.equal(await page.frameLocator('iframe').locator('.stage').count(), 0);
    } finally {
      await context.close();
      thief.close();
    }
  });
});
