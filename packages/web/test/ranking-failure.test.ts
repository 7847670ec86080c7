import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishStage } from './stage-game.ts';
import { openStage, stagePages } from './stage-pages.ts';

test('a ranking whose next entries cannot be loaded says so, and can try again', async () => {
  const { service, browser, creator } = await openStage();
  try {
    const slug = await publishStage(service, creator);
    const { using, pageOf } = stagePages(() => ({ service, browser }));
    const entriesOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        rank: at + 1,
        handle: `player_${at}`,
        score: 100 - at,
        submitted_at: '2026-01-01T00:00:00.000Z',
      }));
    await using(
      `${service.baseUrl}/`,
      async (page) => {
        let isAway = true;
        await page.route('**/boards/*/entries?*', (route) => {
          const isFirst = new URL(route.request().url()).searchParams.get('limit') === '10';
          if (!isFirst && isAway) return route.abort();
          const entries = entriesOf(isFirst ? 10 : 12);
          return route.fulfill({ json: { entries, total: 12, next: isFirst ? 'more' : null } });
        });
        await page.goto(pageOf(slug));
        const places = page.locator('.ranking > li');
        await places.nth(9).waitFor();
        const more = page.getByRole('button', { name: 'Show more' });
        await more.click();
        const failure = page.getByRole('alert').filter({ hasText: 'No answer came.' });
        await failure.waitFor();
        assert.deepEqual([await places.count(), await more.count()], [10, 0]);
        isAway = false;
        await failure.getByRole('button', { name: 'Try again' }).click();
        await places.nth(11).waitFor();
        await failure.waitFor({ state: 'detached' });
      },
      { mayComplain: /ERR_FAILED/u },
    );
  } finally {
    await browser.close();
    await service.close();
  }
});
