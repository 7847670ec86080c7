import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { game, shownSpace } from './seed.ts';
import { type Look, openContext, takenOver } from './walk.ts';
import { seedWinnings } from './winnings.ts';

const desktop: Look = { device: 'desktop', scheme: 'light' };
const phone: Look = { device: 'phone', scheme: 'light' };

/** «Moon!» and «Night.»: the marks are at the left end where the text is read from right to left. */
const arabic = { title: 'قمر!', description: 'ليل.' };

describe('a page on the devices and with the settings of its readers', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  let arabicSlug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const mira = await creatorWithBrowser(service, 'mira');
    viewer = mira.viewer;
    const tags = ['a-tag-of-twenty-four-let', 'another-one-as-long-as-it'.slice(0, 24), 'short'];
    const publish = async (more: object) =>
      (await publishLive(service, mira.creator, game, { fields: { ...shownSpace, ...more } })).space.slug;
    slug = await publish({ tags });
    arabicSlug = await publish(arabic);
    await seedWinnings(service, mira.creator, slug);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function using(
    path: string,
    { look = desktop, as }: { look?: Look; as?: SignedUp },
    work: (page: Page) => Promise<void>,
  ): Promise<void> {
    const url = `${service.baseUrl}${path}`;
    const context = await openContext(browser, look, { url, as });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      await page.goto(url);
      await takenOver(page);
      await work(page);
    } finally {
      await context.close();
    }
  }

  it('says in forced colours which tab and which choice is on', () =>
    using(`/s/${slug}`, {}, async (page) => {
      await page.emulateMedia({ forcedColors: 'active' });
      const style = (role: 'tab' | 'button', name: string, property: string) =>
        page
          .getByRole(role, { name, exact: true })
          .evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), property);
      const line = 'border-bottom-color';
      assert.notEqual(await style('tab', 'Lamps', line), await style('tab', 'Fastest night', line));
      const ground = 'background-color';
      assert.notEqual(await style('button', 'All time', ground), await style('button', 'Today', ground));
    }));

  it('is printed in light colours, without its game and what can only be pressed', () =>
    using(`/s/${slug}`, { look: { device: 'desktop', scheme: 'dark' } }, async (page) => {
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await page.getByRole('button', { name: 'Dark colours' }).click();
      const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      assert.equal(await scheme(), 'dark');
      await page.emulateMedia({ media: 'print' });
      assert.equal(await scheme(), 'light');
      assert.equal(await page.getByRole('heading', { level: 1 }).isVisible(), true);
      for (const gone of ['.space-stage', '.button', '.bar > nav', '.foot'])
        assert.equal(await page.locator(gone).locator('visible=true').count(), 0, gone);
      assert.deepEqual(await page.locator('[role=tab]:visible').allTextContents(), ['Lamps']);
    }));

  it('has nothing to press that is lower than a finger, except for links in texts and lists', async () => {
    const open = async (page: Page) => {
      const menu = page.locator('.icon-button[popovertarget]').first();
      if ((await menu.count()) > 0) await menu.click();
      const low = await page
        .locator(
          '.button, .icon-button, .choice-row > *, .menu-list button, .brand, .foot a, .check, .setting-do',
        )
        .evaluateAll((all) =>
          all.flatMap((element) => {
            const { width, height } = element.getBoundingClientRect();
            const isCut = element.matches('.choice-row > *') && element.scrollWidth > Math.ceil(width);
            return element.checkVisibility() && (width < 44 || height < 44 || isCut)
              ? [`${element.textContent || element.ariaLabel}: ${width} × ${height}`]
              : [];
          }),
        );
      assert.deepEqual(low, [], page.url());
    };
    await using('/', { look: phone }, open);
    await using(`/s/${slug}`, { look: phone }, open);
    const manage = (section: string) => `/dashboard/${slug}?section=${section}`;
    for (const path of ['/settings', manage('boards'), manage('page')])
      await using(path, { look: phone, as: viewer }, async (page) => {
        await page.locator('.card').first().waitFor();
        await open(page);
      });
  });

  it('shows a tag on a card whole or not at all', () =>
    using('/', {}, async (page) => {
      const tags = page.locator('.space-card', { hasText: '#short' }).first().locator('.tag-links');
      const cut = await tags.evaluate((list) => {
        const { right, bottom } = list.getBoundingClientRect();
        return [...list.querySelectorAll('a')]
          .map((tag) => tag.getBoundingClientRect())
          .map((tag) => tag.top >= bottom || (tag.right <= right + 1 && tag.bottom <= bottom + 1));
      });
      assert.deepEqual(cut, [true, true, true]);
    }));

  it('writes a title and a text in the direction of their script', async () => {
    /** Whether the mark at the end of the element's text is drawn before, that is left of, the rest. */
    const isMarkLeft = (page: Page, selector: string, text: string) =>
      page.locator(selector, { hasText: text }).evaluate((element) => {
        const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
        const at = (from: number) => {
          const range = document.createRange();
          range.setStart(node, from);
          range.setEnd(node, from + 1);
          return range.getBoundingClientRect().left;
        };
        return at(node.length - 1) < at(0);
      });
    await using('/', {}, async (page) => {
      assert.equal(await isMarkLeft(page, '.title', arabic.title), true);
    });
    await using(`/s/${arabicSlug}`, {}, async (page) => {
      assert.equal(await isMarkLeft(page, 'h1', arabic.title), true);
      assert.equal(await isMarkLeft(page, '.prose', arabic.description), true);
      const [title, owner] = await Promise.all(
        ['h1', '.space-owner'].map((each) => page.locator(each).boundingBox()),
      );
      assert.equal(title?.x, owner?.x, 'it stands where other titles stand');
    });
  });
});
