import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dashboardOfSuite } from './dashboard-pages.ts';
import { press } from './walk.ts';

describe('a dialog', () => {
  const { opened, at, manage, using, toast } = dashboardOfSuite();

  it('stays, with what is typed in it, when the work of one that was closed before ends', () =>
    using(manage('boards'), async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route('**/boards', async (route) => {
        if (route.request().method() === 'PUT') await held.promise;
        await route.continue();
      });
      const dialog = page.getByRole('dialog');
      const edit = async (title: string) => {
        await page.getByRole('button', { name: `Actions for ${title}` }).click();
        await page.getByRole('button', { name: 'Edit' }).and(page.locator(':visible')).click();
        await dialog.waitFor();
      };
      await edit('Lamps lit');
      await press(page, 'Save');
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await edit('Fastest night');
      await dialog.getByLabel('Unit').fill('km');
      const readAgain = page.waitForResponse(
        (answer) => answer.url().endsWith('/boards') && answer.request().method() === 'GET',
      );
      held.resolve();
      await toast(page, 'Saved.');
      await readAgain;
      assert.equal(await dialog.getByLabel('Unit').inputValue(), 'km');
    }));

  it('leads nowhere once it was closed, and a message says what it has done', async () => {
    const url = opened().pages.put('/closed-meanwhile', '<meta name="service-owner" content="mira">');
    await using(at('/dashboard'), async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route('**/api/spaces', async (route) => {
        await held.promise;
        await route.continue();
      });
      await press(page, 'List a page');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address').fill(url);
      await dialog.getByLabel('Title').fill('Closed meanwhile');
      await dialog.getByLabel('Type').selectOption('tool');
      await dialog.getByLabel('Desktop').check();
      await press(page, 'List it');
      await page.keyboard.press('Escape');
      held.resolve();
      await toast(page, 'Closed meanwhile is listed.');
      assert.equal(page.url(), at('/dashboard'));
    });
  });

  it('with what is shown only once opens also if the form before it was closed meanwhile', async () => {
    for (const [url, path, fill, send, label] of [
      [at('/settings'), '**/api/account/tokens', 'Name of the token', 'Make the token', 'Token'],
      [manage('webhooks'), '**/webhooks', 'Address', 'Add it', 'Key'],
    ] as const)
      await using(url, async (page) => {
        const held = Promise.withResolvers<void>();
        await page.route(path, async (route) => {
          if (route.request().method() !== 'GET') await held.promise;
          await route.continue();
        });
        await page.getByRole('button', { name: /^Make a token$|^Add a webhook…$/u }).click();
        await page.getByLabel(fill, { exact: true }).fill('https://example.com/hook');
        await press(page, send);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
        held.resolve();
        const shown = page.getByRole('dialog').getByRole('textbox', { name: label, exact: true });
        assert.match(await shown.inputValue(), /^\S{20,}$/u);
      });
  });

  it('that shows what is shown only once is not closed by a press beside it', () =>
    using(at('/settings'), async (page) => {
      await press(page, 'Make a token');
      await page.getByLabel('Name of the token').fill('build server');
      await press(page, 'Make the token');
      const token = page.getByRole('textbox', { name: 'Token', exact: true });
      await token.waitFor();
      await page.mouse.click(5, 5);
      assert.match(await token.inputValue(), /^sp_/u);
      await press(page, 'Done');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }));
});
