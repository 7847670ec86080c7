import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PageServer } from '../../server/test/pages.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { dashboardPages, openDashboard } from './dashboard-pages.ts';

/** The console also reports the refusals that the tests provoke. */
const refusals = /status of 4\d\d/u;

describe('the forms of the dashboard', () => {
  let pages: PageServer;
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    ({ pages, service, browser, creator, viewer, slug } = await openDashboard());
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await pages?.[Symbol.asyncDispose]();
  });

  const { at, manage, using, freshSpace } = dashboardPages(() => ({
    service,
    browser,
    creator,
    viewer,
    slug,
  }));

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
});
