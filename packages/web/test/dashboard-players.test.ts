import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { accountPlayer } from '../../server/test/played.ts';
import { dashboardOfSuite } from './dashboard-pages.ts';

describe('the players of a space in the dashboard', () => {
  const { opened, manage, using, toast, freshSpace } = dashboardOfSuite();

  it('ban a player, whose entries leave the boards, and lift the ban', async () => {
    await using(manage('players'), async (page) => {
      const row = page
        .getByRole('region', { name: /^Standings of/u })
        .getByRole('link', { name: '@kestrel' });
      await row.waitFor();
      await page.getByRole('button', { name: 'Actions for @kestrel' }).click();
      await page.getByRole('button', { name: 'Ban the player' }).and(page.locator(':visible')).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Ban the player' }).click();
      await toast(page, '@kestrel is banned.');
      await row.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
    });
    assert.deepEqual(
      (await opened().creator.client.readBans({ params: { slug: opened().slug } })).bans.map(
        ({ handle }) => handle,
      ),
      ['sorrel'],
    );
  });

  it('download the replay of a score, with the seed of its run', async () => {
    const own = await freshSpace();
    await opened().creator.client.putBoards({ params: { slug: own }, body: { boards: [{ key: 'points' }] } });
    const player = await accountPlayer(opened().service, 'rook');
    const { run, seed } = await player.run(await player.session(own), 'points');
    const replay = Buffer.from('up, up, left').toString('base64');
    assert.equal((await player.post('scores', { run, board: 'points', score: 7, replay })).status, 200);
    await using(manage('players', own), async (page) => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the replay of @rook' }).click();
      const download = await downloading;
      assert.match(download.suggestedFilename(), /^replay-points-\d+\.json$/u);
      const kept = JSON.parse(await readFile(await download.path(), 'utf8'));
      assert.deepEqual([kept.handle, kept.score, kept.seed, kept.replay], ['rook', 7, seed, replay]);
    });
  });

  it('find the scores of a player, show them, and delete them', async () => {
    const own = await freshSpace();
    await opened().creator.client.putBoards({ params: { slug: own }, body: { boards: [{ key: 'points' }] } });
    const { secret } = await opened().creator.client.issueSecret({ params: { slug: own } });
    for (const score of [5, 6])
      await opened().service.anonymous.call(
        'POST',
        '/api/v1/scores',
        { board: 'points', player: 'kestrel', score },
        { authorization: `Bearer ${secret}` },
      );
    await using(manage('players', own), async (page) => {
      await page.getByRole('button', { name: 'Find the scores' }).click();
      await page.getByText('Name a version, a player or a time.').waitFor();
      await page.getByLabel('Of a player', { exact: true }).fill('@kestrel');
      await page.getByRole('button', { name: 'Find the scores' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 2 scores?' });
      await dialog.getByText('points: 2 of one player').waitFor();
      await dialog.getByText('@kestrel 6, @kestrel 5').waitFor();
      await dialog.getByRole('button', { name: 'Delete them' }).click();
      await page.getByText('Deleted: 2 scores.').waitFor();
    });
    const { entries } = (
      await opened().service.anonymous.call('GET', `/api/gallery/${own}/boards/points/entries`)
    ).json();
    assert.deepEqual(entries, []);
  });

  it('reset the sandbox, and say exactly what was deleted', async () => {
    await using(manage('players'), async (page) => {
      await page.getByRole('button', { name: 'Reset the sandbox' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset it' }).click();
      await page.getByText('Deleted: scores: 2,').waitFor();
    });
  });
});
