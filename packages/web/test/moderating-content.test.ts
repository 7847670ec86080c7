import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { makers } from '../../server/test/content.ts';
import { publishLive } from '../../server/test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../server/test/played.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { game, shownSpace } from './seed.ts';
import { usePage, walk } from './walk.ts';

describe('content of players, in the dashboard and the operators’ queue', () => {
  let service: TestService;
  let browser: Browser;
  let operator: SignedUp;
  let creator: SignedUp;
  let slug: string;
  let ada: PlayingVisitor;
  let ben: PlayingVisitor;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    // The first account of an installation is its operator.
    operator = await signUp(service, { handle: 'keeper', name: 'Kit' });
    const mira = await creatorWithBrowser(service, 'mira');
    creator = mira.viewer;
    ({ slug } = (await publishLive(service, mira.creator, game, { fields: shownSpace })).space);
    ada = await accountPlayer(service, 'ada_makes');
    ben = await accountPlayer(service, 'ben_makes');
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { published, list, like, report } = makers(() => slug);
  const players = () => `${service.baseUrl}/dashboard/${slug}?section=players`;
  const reports = () => `${service.baseUrl}/operator?view=reports`;
  const titles = async () => (await list(ben)).items.map(({ title }) => title).toSorted();

  it('look right', async () => {
    const made = await published(ada, { title: '<b>Two craters</b>', data: { rocks: [1, 2] } });
    await published(ben, { title: 'A long way home', data: 'x'.repeat(20_000) });
    await published(ben, { kind: 'ghost', data: 1 });
    await like(ben, made.id);
    assert.equal((await report(guestPlayer(service), made.id, { message: 'It is rude.' })).status, 202);
    await walk(browser, {
      name: 'manage-made',
      url: players(),
      as: creator,
      until: (page) => page.getByRole('cell', { name: /^«<b>Two craters<.b>»/u }).waitFor(),
    });
    await walk(browser, {
      name: 'manage-made-one',
      url: players(),
      as: creator,
      until: async (page) => {
        await page.getByRole('button', { name: 'Actions for «A long way home»' }).click();
        await page.getByRole('button', { name: 'Look at it' }).and(page.locator(':visible')).click();
        await page.getByRole('dialog', { name: 'A long way home' }).getByText('xxxx').waitFor();
      },
    });
    await walk(browser, {
      name: 'operator-reported-content',
      url: reports(),
      as: operator,
      until: async (page) => {
        await page.getByRole('button', { name: 'Decide…' }).click();
        await page.getByRole('dialog').getByText('"rocks"').waitFor();
      },
    });
  });

  it('are reviewed and deleted by the creator, who bans their maker', () =>
    usePage(browser, { url: players(), as: creator, timeoutMs: 8_000 }, async (page) => {
      await page.getByRole('button', { name: 'Reported' }).click();
      // Waits for a list of one row: while the list loads there is none.
      await page.locator('tbody tr:only-child').filter({ hasText: 'Two craters' }).waitFor();
      await page.getByRole('button', { name: 'Live' }).last().click();
      await page.getByRole('button', { name: 'Actions for «A long way home»' }).click();
      await page.getByRole('button', { name: 'Delete it' }).and(page.locator(':visible')).click();
      const dialog = page.getByRole('dialog', { name: 'Delete «A long way home»?' });
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await page.locator('.toast', { hasText: 'It is deleted.' }).waitFor();
      assert.deepEqual(await titles(), ['<b>Two craters</b>']);
      await page.getByRole('button', { name: 'Actions for a ghost' }).click();
      await page.getByRole('button', { name: 'Ban the player' }).and(page.locator(':visible')).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Ban the player' }).click();
      await page.locator('.toast', { hasText: '@ben_makes is banned.' }).waitFor();
      await page.getByText('player banned').waitFor();
      assert.deepEqual((await list(ada, 'kind=ghost')).items, []);
    }));

  it('are deleted by an operator who comes from a report', () =>
    usePage(browser, { url: reports(), as: operator, timeoutMs: 8_000 }, async (page) => {
      const card = page.getByRole('listitem').filter({ hasText: 'Two craters' });
      await card.getByText('The level «<b>Two craters</b>» by @ada_makes').waitFor();
      await card.getByRole('button', { name: 'Decide…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Delete what the player made').check();
      await dialog.getByLabel('Why?').fill('Rude.');
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Something that a player made; it is gone by now.').waitFor();
      assert.deepEqual(await titles(), []);
    }));

  it('are listed when the creator comes back, with what was made meanwhile', async () => {
    await published(ada, { title: 'Before', data: 1 });
    await usePage(browser, { url: players(), as: creator, timeoutMs: 8_000 }, async (page) => {
      const before = page.getByRole('cell', { name: '«Before»', exact: true });
      await before.waitFor();
      await published(ada, { title: 'Meanwhile', data: 2 });
      await page.getByRole('link', { name: 'Versions' }).click();
      await before.waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Players' }).click();
      await page.getByRole('cell', { name: '«Meanwhile»', exact: true }).waitFor();
    });
  });
});
