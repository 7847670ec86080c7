import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { listing, publishLive, smallGame } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { takenOver } from './walk.ts';

describe('the gallery’s search', () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator('mira');
    for (const [title, tags] of [
      ['Moon Hopper', ['platformer']],
      ['Moonlight', ['puzzle']],
      ['Tide Keeper', ['puzzle']],
    ] as const)
      await publishLive(service, creator, smallGame, {
        fields: { ...listing, devices: ['desktop'], title, tags: [...tags] },
      });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function opened(path: string, javaScriptEnabled: boolean, work: (page: Page) => Promise<void>) {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: service.baseUrl });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(path);
      if (javaScriptEnabled) await takenOver(page);
      await work(page);
    } finally {
      await context.close();
    }
  }
  const cards = (page: Page) => page.locator('.space-card .title');
  const untilShown = async (page: Page, titles: string[]) => {
    await page.waitForFunction((expected) => {
      const shown = [...document.querySelectorAll('.space-card .title')].map((link) => link.textContent);
      return JSON.stringify(shown) === expected;
    }, JSON.stringify(titles));
  };

  it('searches while somebody types, keeps the focus, and adds no step to the history', () =>
    opened('/', true, async (page) => {
      const field = page.getByRole('searchbox', { name: 'Search' });
      const steps = await page.evaluate(() => history.length);
      await field.pressSequentially('moon');
      await untilShown(page, ['Moon Hopper', 'Moonlight']);
      assert.equal(await field.evaluate((input) => input === document.activeElement), true);
      assert.equal(new URL(page.url()).search, '?q=moon');
      assert.equal(await page.title(), 'Search: moon · Spaceport');
      assert.equal(await page.evaluate(() => history.length), steps);
      await field.pressSequentially(' hop');
      await untilShown(page, ['Moon Hopper']);
      assert.equal(await field.inputValue(), 'moon hop');
      await field.fill('nowhere at all');
      await page.getByRole('heading', { name: 'Nothing has all the words of “nowhere at all”' }).waitFor();
      await field.fill('');
      await untilShown(page, ['Tide Keeper', 'Moonlight', 'Moon Hopper']);
      assert.equal(new URL(page.url()).search, '');
    }));

  it('adds a step to the history on Enter, so that Back shows the search before', () =>
    opened('/', true, async (page) => {
      const field = page.getByRole('searchbox', { name: 'Search' });
      const steps = await page.evaluate(() => history.length);
      const everything = ['Tide Keeper', 'Moonlight', 'Moon Hopper'];
      await field.pressSequentially('moon');
      await untilShown(page, ['Moon Hopper', 'Moonlight']);
      // The second Enter searches for the same.
      for (const _ of [1, 2]) await field.press('Enter');
      await field.fill('tide');
      await field.press('Enter');
      await untilShown(page, ['Tide Keeper']);
      assert.equal(await page.evaluate(() => history.length), steps + 2);
      for (const [go, text, titles] of [
        [() => page.goBack(), 'moon', ['Moon Hopper', 'Moonlight']],
        [() => page.goBack(), '', everything],
        [() => page.goForward(), 'moon', ['Moon Hopper', 'Moonlight']],
      ] as const) {
        await go();
        await untilShown(page, [...titles]);
        assert.equal(await field.inputValue(), text);
        assert.equal(new URL(page.url()).search, text === '' ? '' : `?q=${text}`);
      }
    }));

  it('forgives a typo, and narrows by a tag that was clicked on a card', () =>
    opened('/?q=keepre', true, async (page) => {
      await untilShown(page, ['Tide Keeper']);
      await page.getByRole('link', { name: '#puzzle' }).first().click();
      await page.waitForURL('**/?tag=puzzle');
      await untilShown(page, ['Tide Keeper', 'Moonlight']);
      await page.getByRole('searchbox', { name: 'Search' }).fill('moon');
      await untilShown(page, ['Moonlight']);
      await page.getByRole('link', { name: 'Take the tag away' }).click();
      await page.waitForURL('**/?q=moon');
    }));

  it('works as a form without script', () =>
    opened('/?tag=puzzle', false, async (page) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('tide');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=tide/u);
      assert.equal(new URL(page.url()).searchParams.get('tag'), 'puzzle');
      assert.deepEqual(await cards(page).allTextContents(), ['Tide Keeper']);
      assert.equal(await page.title(), 'Search: tide, #puzzle · Spaceport');
    }));
});
