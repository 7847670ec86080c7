import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PublishOptions } from '@spaceport/client/publish';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { game, shownSpace } from './seed.ts';
import { type Look, openContext, takenOver } from './walk.ts';

const phone: Look = { device: 'phone', scheme: 'light' };
const desktop: Look = { device: 'desktop', scheme: 'light' };
const players = ['nova', 'a_very_long_handle_here'];
const boards = [
  { key: 'coins', title: 'Coins', unit: 'gold coins', decimals: 2 },
  { key: 'runs', title: 'Runs', periods: ['all', 'month', 'week', 'day'] },
  ...['Distance of one flight', 'Fastest night of all', 'Lamps', 'Level 4', 'Level 5'].map((title, at) => ({
    key: `level${at}`,
    title,
  })),
] satisfies PublishOptions['details']['boards'];

const achievements = Array.from({ length: 14 }, (_, at) => ({ key: `a${at}`, title: `Unlock ${at + 1}` }));

describe('the boards and achievements beside a game', () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  let as: Awaited<ReturnType<typeof signUp>>;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator('mira');
    const { slug } = (await publishLive(service, creator, game, { fields: shownSpace, boards, achievements }))
      .space;
    url = `${service.baseUrl}/s/${slug}`;
    as = await signUp(service, { handle: 'visitor' });
    await Promise.all(players.map((handle) => service.creator(handle)));
    const { secret } = (await creator.call('POST', `/api/spaces/${slug}/secret`)).json();
    const scores = players.map((player) => ({ board: 'coins', player, score: 9_007_199_254_740_991 }));
    const post = async (path: string, body: unknown) => {
      const authorization = `Bearer ${secret}`;
      const posted = await service.anonymous.call('POST', path, body, { authorization });
      assert.ok(posted.status < 300, posted.text());
    };
    await post('/api/v1/scores', { scores });
    await post('/api/v1/achievements', { achievement: 'a12', player: 'visitor' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function using(look: Look, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await openContext(browser, look, { url, as });
    try {
      const page = await context.newPage();
      await page.goto(url);
      await takenOver(page);
      await work(page);
    } finally {
      await context.close();
    }
  }

  const boxOf = async (one: Locator) => {
    const box = await one.boundingBox();
    assert.ok(box);
    return box;
  };

  for (const look of [phone, desktop])
    it(`name the players of the largest scores, on a ${look.device}`, () =>
      using(look, async (page) => {
        const row = page.locator('.ranking > li').nth(1);
        await row.waitFor();
        // All at once, because the page may still move what is above them.
        const [line, name, when, score] = await row.evaluate((element) =>
          [
            element,
            ...['a', '.ranking-when', '.ranking-score'].map((part) => element.querySelector(part)),
          ].map((part) => part?.getBoundingClientRect()),
        );
        assert.ok(line && name && when && score);
        assert.ok(name.width > 150, `the name has ${name.width} px`);
        for (const part of [name, when, score]) {
          assert.ok(part.height < 24, `a part of ${part.height} px has several lines`);
          assert.ok(part.y >= line.y && part.y + part.height <= line.y + line.height + 0.5);
        }
        assert.ok(when.x + when.width <= score.x + 0.5, 'the score lies over the time');
      }));

  it('are all reached with a mouse, one after the other', () =>
    using(desktop, async (page) => {
      const tabs = page.getByRole('tablist', { name: 'Boards' });
      await tabs.scrollIntoViewIfNeeded();
      const list = await boxOf(tabs);
      for (const { title } of boards) {
        const tab = await page.getByRole('tab', { name: title }).elementHandle();
        // The middle of what is seen of it, once the tabs have scrolled.
        const middle = await page.waitForFunction(
          ([one, { x, width }]) => {
            const box = one?.getBoundingClientRect();
            const from = Math.max(box?.left ?? 0, x);
            const to = Math.min(box?.right ?? 0, x + width);
            return to - from < 16 ? null : (from + to) / 2;
          },
          [tab, list] as const,
        );
        await page.mouse.click(Number(await middle.jsonValue()), list.y + list.height / 2);
        await page.getByRole('tab', { name: title, selected: true }).waitFor();
      }
    }));

  it('have the times of a ranking in one line', () =>
    using(desktop, async (page) => {
      await page.getByRole('tab', { name: 'Runs' }).click();
      const times = page.getByRole('group', { name: 'Time' }).getByRole('button');
      await times.first().waitFor();
      // All at once, because the page may still move what is above them.
      const tops = await times.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.equal(tops.length, 4);
      assert.equal(new Set(tops).size, 1, tops.join());
    }));

  it('are folded where they are many, also without script', async () => {
    await using(phone, async (page) => {
      const card = page.getByRole('region', { name: 'Achievements' });
      await card.getByText('1 of 14').waitFor();
      assert.equal(await card.getByText('Unlock 6', { exact: true }).isVisible(), true);
      assert.equal(await card.getByText('Unlock 7', { exact: true }).isVisible(), false);
      await card.getByText('The other 8').press('Enter');
      await card.getByText('Unlock 13 (you have it)').waitFor();
      assert.equal(await card.getByRole('listitem').count(), 14);
    });
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(url);
      await page.getByText('The other 8').click();
      await page.getByText('Unlock 14', { exact: true }).waitFor();
    } finally {
      await context.close();
    }
  });
});
