import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { dashboardOfSuite } from './dashboard-pages.ts';

/** The console also reports the refusals that the tests provoke. */
const refusals = /status of 4\d\d/u;

describe('the forms of the dashboard', () => {
  const { opened, at, manage, using, toast, freshSpace } = dashboardOfSuite();

  const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement);
  const focused = (page: Page, field: Locator) =>
    field
      .elementHandle()
      .then((element) => page.waitForFunction((one) => one === document.activeElement, element));
  const chipsOf = (page: Page, label: string) =>
    page.locator('.field', { has: page.getByLabel(label, { exact: true }) }).locator('.chip');

  it('say why no scores could be looked for', () =>
    using(
      manage('players'),
      async (page) => {
        const card = page.getByRole('region', { name: 'Delete many scores' });
        await card.getByLabel('Of a player').fill('@nobody_at_all');
        await card.getByRole('button', { name: 'Find the scores' }).click();
        await card.getByRole('alert').getByText('nobody_at_all').waitFor();
      },
      refusals,
    ));

  it('name the newest scores as their board shows them', () =>
    using(manage('players'), async (page) => {
      const card = page.getByRole('region', { name: 'Delete many scores' });
      await card.getByLabel('Of a player').fill('@kestrel');
      await card.getByLabel('On', { exact: true }).selectOption('night');
      await card.getByRole('button', { name: 'Find the scores' }).click();
      await page.getByRole('dialog').getByText('@kestrel 1:02.345').waitFor();
    }));

  it('take a year of four digits, and go on to the hour', () =>
    using(manage('players'), async (page) => {
      const from = page.getByRole('region', { name: 'Delete many scores' }).getByLabel('Posted from');
      await from.focus();
      await page.keyboard.type('011520260930AM');
      assert.equal(await from.inputValue(), '2026-01-15T09:30');
    }));

  it('take a list of tags as it is pasted, or typed on a phone', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      const tags = page.getByLabel('Tags', { exact: true });
      await tags.fill('puzzle, two-players, arcade, retro');
      assert.deepEqual(await chipsOf(page, 'Tags').allInnerTexts(), ['puzzle', 'two-players', 'arcade']);
      assert.equal(await tags.inputValue(), 'retro');
      await tags.press('Enter');
      assert.equal(await chipsOf(page, 'Tags').count(), 4);
      await tags.fill('much-too-long-for-a-single-tag, short');
      await page.getByText('At most 24 characters each.').waitFor();
      assert.equal(await chipsOf(page, 'Tags').count(), 4);
      await tags.fill('');
    });
  });

  it('keep the tags that do not fit where they were typed, and say so, until there is room', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      const tags = page.getByLabel('Tags', { exact: true });
      const names = Array.from({ length: 10 }, (_, at) => `tag${at}`);
      await tags.fill(`${names.join(', ')},`);
      await page.getByText('At most 8: remove one to add another.').waitFor();
      assert.deepEqual(await chipsOf(page, 'Tags').allInnerTexts(), names.slice(0, 8));
      assert.equal(await tags.inputValue(), 'tag8, tag9');
      await tags.press('Enter');
      assert.equal(await tags.inputValue(), 'tag8, tag9');
      await page.getByRole('button', { name: 'Remove tag3' }).click();
      await tags.press('Enter');
      await page.getByRole('button', { name: 'Remove tag8' }).waitFor();
      await page.waitForFunction(([field]) => field instanceof HTMLInputElement && field.value === 'tag9', [
        await tags.elementHandle(),
      ] as const);
      await tags.fill('');
      await page.getByText('At most 8').waitFor({ state: 'detached' });
    });
  });

  it('keep the focus in a list of tags that is full, and when one is removed from it', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      const tags = page.getByLabel('Tags', { exact: true });
      await tags.focus();
      for (let at = 1; at <= 8; at++) await page.keyboard.type(`tag${at},`);
      assert.equal(await chipsOf(page, 'Tags').count(), 8);
      assert.ok(await isFocused(tags));
      await page.keyboard.type('ninth');
      assert.equal(await tags.inputValue(), '');
      await page.getByRole('button', { name: 'Remove tag3' }).focus();
      await page.keyboard.press('Enter');
      await focused(page, tags);
      await page.keyboard.type('ninth,');
      assert.equal(await chipsOf(page, 'Tags').last().innerText(), 'ninth');
    });
  });

  it('go on in the label of a link that was added, also of the last one', async () => {
    const own = await freshSpace();
    await using(manage('page', own), async (page) => {
      const add = page.getByRole('button', { name: 'Add a link' });
      for (let links = 1; links <= 5; links++) {
        await add.focus();
        await page.keyboard.press('Enter');
        await focused(page, page.getByLabel('Label', { exact: true }).nth(links - 1));
      }
      assert.ok(await add.isDisabled());
    });
  });

  it('keep the focus on a switch that is pressed', () =>
    using(manage('health'), async (page) => {
      const mails = page.getByLabel('Mail me when a new version breaks something');
      const isOn = await mails.isChecked();
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/error-mails', async (route) => {
        await answered;
        await route.continue();
      });
      await mails.focus();
      const asked = page.waitForRequest((request) => request.method() === 'PUT');
      await page.keyboard.press('Space');
      await asked;
      assert.ok(await isFocused(mails), 'while it is changed');
      assert.equal(await mails.isChecked(), !isOn, 'shows what was asked for');
      const changed = page.waitForResponse((response) => response.request().method() === 'PUT');
      answer();
      await changed;
      await page.reload();
      assert.equal(await mails.isChecked(), !isOn);
    }));

  it('scroll a field that gets the focus out of the bar that says what is not saved', () =>
    using(manage('page'), async (page) => {
      await page.getByLabel('Title').fill('Something else');
      await page.locator('.save-bar').waitFor();
      const covered: string[] = [];
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => {
          const bar = document.querySelector('.save-bar');
          const { activeElement } = document;
          if (!bar || !activeElement || bar.contains(activeElement)) return null;
          const over = bar.getBoundingClientRect();
          const under = activeElement.getBoundingClientRect();
          const isBelow = under.left < over.right && under.right > over.left;
          return isBelow && under.top >= over.top && under.top < over.bottom ? activeElement.outerHTML : null;
        });
        if (name !== null) covered.push(name);
      }
      assert.deepEqual(covered, []);
    }));

  it('lead to the first field with a problem, also to one that is folded away', async () => {
    const own = await freshSpace();
    await using(
      manage('page', own),
      async (page) => {
        await page.getByLabel('Source code').fill('not an address');
        await page.getByRole('button', { name: 'Save' }).click();
        await focused(page, page.getByLabel('Source code'));
      },
      refusals,
    );
    await using(
      at('/dashboard'),
      async (page) => {
        await page.getByRole('button', { name: 'List a page' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Address').fill('https://example.com/');
        await dialog.getByLabel('Title').fill('Elsewhere');
        await dialog.getByLabel('Type').selectOption('game');
        await dialog.getByLabel('Desktop').check();
        const more = dialog.getByText('More about it');
        await more.click();
        await dialog.getByLabel('Source code').fill('not an address');
        await more.click();
        await dialog.getByRole('button', { name: 'List it' }).click();
        await focused(page, dialog.getByLabel('Source code'));
      },
      refusals,
    );
  });

  it('are sent again while the space changes, and say so in the end', async () => {
    const own = await freshSpace();
    await using(
      manage('page', own),
      async (page) => {
        let refused = 0;
        let most = 3;
        await page.route(`**/api/spaces/${own}`, async (route) => {
          if (route.request().method() !== 'PATCH' || refused === most) return route.fallback();
          refused += 1;
          const error = { error: 'precondition_failed', message: 'The space changed meanwhile.' };
          await route.fulfill({ status: 412, json: error });
        });
        await page.getByLabel('Title').fill('Busy');
        await page.getByRole('button', { name: 'Save' }).click();
        await toast(page, 'Saved.');
        most = 100;
        await page.getByLabel('Title').fill('Busier');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The space changed meanwhile.').waitFor();
        assert.equal(await page.getByLabel('Title').inputValue(), 'Busier');
        most = refused;
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The space changed meanwhile.').waitFor({ state: 'detached' });
      },
      refusals,
    );
    assert.equal((await opened().creator.client.readSpace({ params: { slug: own } })).title, 'Busier');
  });
});
