import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Arena, makeArena } from '../../server/test/arena.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { makers } from '../../server/test/content.ts';
import { accountPlayer, type PlayingVisitor } from '../../server/test/played.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { looks, usePage, walk } from './walk.ts';

/**
 * Two looks that differ in both device and scheme, for states of pages that other tests open in every look.
 */
const twice = looks.filter(({ device, scheme }) => (device === 'phone') === (scheme === 'dark'));
const timeoutMs = 20_000;

describe('the pages of a player', () => {
  let service: TestService;
  let browser: Browser;
  let arena: Arena;
  let ada: PlayingVisitor;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    arena = await makeArena(service, [
      { key: 'points', title: 'Points', unit: 'pt' },
      { key: 'laps', title: `The fastest lap of ${'all '.repeat(12)}times`, metric: 'time', sort: 'asc' },
    ]);
    await arena.putAchievements({
      stats: [{ key: 'jumps', op: 'add' }],
      achievements: [{ key: 'jumper', title: 'Jumper', points: 5, trigger: { stat: 'jumps', atLeast: 3 } }],
    });
    ada = await accountPlayer(service, 'ada');
    const session = await ada.session(arena.slug);
    for (const [board, score] of [
      ['points', 1_234],
      ['laps', 61_500],
    ])
      assert.equal((await ada.post('scores', { session, board, score })).status, 200);
    assert.equal((await ada.post('stats', { session, stat: 'jumps', by: 3 })).status, 200);
    const { published } = makers(() => arena.slug);
    await published(ada, { title: 'Two craters', data: 1 });
    await published(ada, { kind: 'ghost', data: 'x'.repeat(9_000) });
    await save('stands', 200);
    await save('lost', 409);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.baseUrl}${path}`;
  async function save(data: string, status: number) {
    const path = `/api/player/saves/main?space=${arena.slug}`;
    const device = 'Firefox on Linux';
    assert.equal((await ada.call('PUT', path, { data, device })).status, status);
  }

  it('/me looks right with data, without data, and before a deletion', async () => {
    await walk(browser, { name: 'me', url: at('/me'), as: ada });
    const newcomer = await signUp(service, { handle: 'newcomer' });
    await walk(browser, { name: 'me-empty', url: at('/me'), as: newcomer, looks: twice });
    await walk(browser, {
      name: 'me-asking',
      url: at('/me'),
      as: ada,
      looks: twice,
      until: async (page) => {
        for (const asking of await page.locator('summary').filter({ hasText: 'Delete' }).all())
          await asking.click();
        await page.getByRole('button', { name: 'Delete everything I played' }).waitFor();
      },
    });
  });

  it('/me leads a signed-out visitor to the sign-in, and back', () =>
    usePage(browser, { url: at('/me'), timeoutMs }, async (page) => {
      const { pathname, searchParams } = new URL(page.url());
      assert.deepEqual([pathname, searchParams.get('next')], ['/sign-in', '/me']);
    }));

  it('/me restores a replaced save, hides and shows the player’s results, and exports', () =>
    usePage(browser, { url: at('/me'), as: ada, timeoutMs }, async (page) => {
      await page.getByRole('button', { name: 'Bring back' }).click();
      await page.getByText('The save is back in its slot.').waitFor();
      await page.getByRole('button', { name: 'Keep it to myself' }).click();
      await page.getByText('Only you see your scores and achievements together from now on.').waitFor();
      await page.getByRole('button', { name: 'Show it to others' }).click();
      await page.getByText('Others see your scores and achievements on your page').first().waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export' }).click();
      assert.match((await download).suggestedFilename(), /\.json$/u);
    }));

  it('/me sends a form once, if its button is pressed again before the answer', () =>
    usePage(browser, { url: at('/me'), as: ada, timeoutMs }, async (page) => {
      const sent = await page.evaluate(() => {
        let count = 0;
        addEventListener('submit', ({ defaultPrevented }) => (count += defaultPrevented ? 0 : 1));
        const button = document.querySelector<HTMLElement>('[action$=restore] button');
        for (let presses = 0; presses < 2; presses++) button?.click();
        return count;
      });
      assert.equal(sent, 1);
      await page.getByText('The save is back in its slot.').waitFor();
    }));

  it('/me removes content by keyboard alone', () =>
    usePage(browser, { url: at('/me'), as: ada, timeoutMs }, async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'a ghost' });
      await row.getByText('Remove…').focus();
      await page.keyboard.press('Enter');
      await row.getByRole('button', { name: 'Remove a ghost' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('What you made is removed').waitFor();
      await page.locator('strong', { hasText: '«Two craters»' }).waitFor();
      assert.equal(await page.getByText('a ghost').count(), 0);
    }));

  it('/@handle shows a player’s unlocks, rendered on the server', async () => {
    const url = at('/@ada');
    await walk(browser, { name: 'player', url });
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(url);
      for (const text of ['Points', '1,234 pt', 'Jumper', '5 points'])
        await page.getByText(text, { exact: true }).first().waitFor({ timeout: timeoutMs });
    } finally {
      await context.close();
    }
  });

  it('/@handle begins with what its own player has won, before the empty shelf', () =>
    usePage(browser, { url: at('/@ada'), as: ada, timeoutMs }, async (page) => {
      await page.getByText('Your shelf is empty').waitFor();
      const parts = await page.locator('main').getByRole('heading', { level: 2 }).allTextContents();
      assert.deepEqual(parts, ['Scores', 'Achievements', 'Your shelf is empty']);
    }));

  it('/me deletes everything after confirmation', () =>
    usePage(browser, { url: at('/me'), as: ada, timeoutMs }, async (page) => {
      await page.locator('summary').filter({ hasText: 'Delete all' }).click();
      await page.getByRole('button', { name: 'Delete everything I played' }).click();
      await page.getByText('Everything you played is deleted.').waitFor();
      await page.goto(at('/@ada'));
      assert.equal(await page.getByText('Jumper').count(), 0);
    }));
});
