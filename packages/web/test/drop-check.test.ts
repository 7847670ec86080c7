import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { browserSetting, openBrowser } from '../../server/test/browser.ts';
import { drawn } from '../../server/test/checked-page.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { looks, openContext, walk } from './walk.ts';

/** On a busy machine a check may wait long for its browser. */
const patience = { timeout: 60_000 };

describe('the check of a dropped game', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({
        environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000', BROWSER: browserSetting() },
      }),
      openBrowser(),
    ]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-drop-check-'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const url = () => `${service.baseUrl}/drop`;

  /** Drops a game of one page, and publishes it without an account. */
  async function drop(page: Page, name: string, body: string): Promise<void> {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.html'), `<!doctype html><title>${name}</title>${body}`);
    await page.locator('input[data-kind=folder]').setInputFiles(join(folder, name));
    await page.getByRole('button', { name: 'Publish a preview' }).click();
  }

  const isReady = (page: Page, name: string) =>
    page.getByRole('heading', { name: `${name} is ready to try` }).waitFor();

  /** Answers a read of a version when the safety check has refused it. */
  async function answerOnceRefused(route: Route): Promise<void> {
    for (;;) {
      const response = await route.fetch();
      const { status }: { status: string } = await response.json();
      if (status === 'refused') return route.fulfill({ response });
      await setTimeout(100);
    }
  }

  it('shows the errors of a broken game beside its frame', async () => {
    await walk(browser, {
      name: 'drop-errors',
      looks: looks.filter(({ device, scheme }) => (device === 'phone') === (scheme === 'dark')),
      mayComplain: /undefinedFn/u,
      url: url(),
      until: async (page) => {
        await drop(page, 'Moth', `${drawn}<script>undefinedFn();</script>`);
        await isReady(page, 'Moth');
        await page.getByText('An error came up when the safety check opened it.').waitFor(patience);
        await page.getByText('undefinedFn is not defined').first().waitFor();
        assert.equal(await page.getByText(/\bruns\b|nothing to fix/u).count(), 0);
      },
    });
  });

  it('says that there is nothing to fix when a game has no findings', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    await drop(page, 'Kite', `${drawn}<h1>Kite</h1>`);
    await isReady(page, 'Kite');
    await page.getByText('The safety check opened it: nothing to fix.').waitFor(patience);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Kite' }).waitFor();
    await context.close();
  });

  for (const [refused, isHeld] of [
    ['a refused version', false],
    ['a version that was refused before its page looked', true],
  ] as const)
    it(`shows no frame of ${refused}, and says why it was refused`, async () => {
      const context = await openContext(browser, undefined, { url: url() });
      const page = await context.newPage();
      await page.goto(url());
      if (isHeld) await page.route(/\/versions\/[^/?]+(?:\?|$)/u, answerOnceRefused);
      const leaves = '<script>setTimeout(() => location.replace("https://elsewhere.example/"), 99)</script>';
      await drop(page, 'Lure', `${drawn}${leaves}`);
      await page.getByText('The safety check refused it: nobody can see it.').waitFor(patience);
      await page
        .getByText(/elsewhere\.example/u)
        .first()
        .waitFor();
      assert.equal(await page.locator('iframe').count(), 0);
      assert.equal(await page.getByLabel('Address of the page').count(), 0);
      await page.getByRole('button', { name: 'Drop another version' }).waitFor();
      await context.close();
    });
});
