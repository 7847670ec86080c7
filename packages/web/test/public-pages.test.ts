import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { type Seeded, seed } from './seed.ts';
import { framesDrawn, openContext, walk } from './walk.ts';

describe('public pages', () => {
  let empty: TestService;
  let service: TestService;
  let browser: Browser;
  let seeded: Seeded;
  let viewer: SignedUp;
  before(async () => {
    [empty, service, browser] = await Promise.all([
      startService(),
      startService({ environment: { PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    seeded = await seed(service, browser);
    viewer = await signUp(service, { handle: 'visitor', name: 'Vera' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await empty?.close();
  });

  const at = (path: string) => `${service.baseUrl}${path}`;

  it('the gallery, with nothing in it', () =>
    walk(browser, { name: 'gallery-empty', url: `${empty.baseUrl}/` }));

  it('give the browser’s bar the colour of the header, also after another one is chosen', async () => {
    const colours = (page: Page) =>
      page.evaluate(() => {
        const shown = [...document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')].find(
          ({ media }) => matchMedia(media).matches,
        );
        const probe = document.createElement('i');
        probe.style.color = shown?.content ?? '';
        document.body.append(probe);
        const bar = document.querySelector('.bar');
        return [getComputedStyle(probe).color, bar && getComputedStyle(bar).backgroundColor];
      });
    for (const scheme of ['light', 'dark'] as const) {
      const context = await openContext(browser, { device: 'phone', scheme }, { url: at('/') });
      const page = await context.newPage();
      const seen: unknown[] = [];
      const look = async () => {
        // Colours pass into each other, for an instant also with reduced motion.
        await framesDrawn(page, 2);
        const [told, drawn] = await colours(page);
        assert.equal(told, drawn);
        seen.push(told);
      };
      await page.goto('/');
      await look();
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await look();
      await page.reload();
      await look();
      assert.notEqual(seen[0], seen[1]);
      assert.equal(seen[1], seen[2]);
      await context.close();
    }
  });

  it('the gallery', () => walk(browser, { name: 'gallery', url: at('/'), as: viewer }));

  it('load the first pictures of a gallery before their styles are there, and the others late', async () => {
    const pictures = (await service.get(at('/'))).text().match(/<img [^>]*>/gu) ?? [];
    const late = pictures.map((picture) => picture.includes('loading="lazy"'));
    assert.deepEqual(late.slice(0, 3), [false, false, false]);
    assert.ok(late.length > 6 && late.slice(4).every((isLate) => isLate));
  });

  it('break a command between its words alone', async () => {
    const context = await openContext(browser, { device: 'phone', scheme: 'light' }, { url: at('/') });
    const page = await context.newPage();
    await page.goto('/');
    const command = page.locator('.code-block code').first();
    assert.match(await command.innerText(), /^npx --yes http\S+ publish \.\/my-game --anonymous$/u);
    const heights = await command
      .locator('.code-word')
      .evaluateAll((words) => words.map((word) => [word.textContent, word.getBoundingClientRect().height]));
    const [, oneLine = 0] = heights[0] ?? [];
    for (const [word, height] of heights)
      if (!String(word).startsWith('http')) assert.equal(height, oneLine, String(word));
    await context.close();
  });

  it('the gallery, most played', () =>
    walk(browser, { name: 'gallery-played', url: at('/?sort=played&space_type=game') }));

  it('the gallery, where nothing was found', () =>
    walk(browser, { name: 'gallery-nothing', url: at('/?q=submarine') }));

  it('a space', () =>
    walk(browser, {
      name: 'space',
      url: at(`/s/${seeded.slugs.get('Moon Hopper')}`),
      until: async (page) => {
        await page.frameLocator('iframe').locator('canvas').waitFor();
        await page.locator('.frame--loading').waitFor({ state: 'detached' });
        await page.getByText('@nova').waitFor();
      },
    }));

  it('the dialog that reports a space', () =>
    walk(browser, {
      name: 'space-report',
      url: at(`/s/${seeded.slugs.get('Moon Hopper')}`),
      until: async (page) => {
        await page.getByRole('button', { name: 'Report' }).click();
        await page.getByRole('dialog').waitFor();
      },
    }));

  it('a creator', () => walk(browser, { name: 'creator', url: at('/@mira') }));

  it('a creator who has nothing yet', () =>
    walk(browser, { name: 'creator-empty', url: at('/@visitor'), as: viewer }));

  it('a page that is not there', async () => {
    await walk(browser, { name: 'space-unknown', url: at('/s/never-there'), mayComplain: /404/u });
    assert.equal((await service.get(at('/s/never-there'))).status, 404);
  });
});
