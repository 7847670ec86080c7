import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { field, press, usePage } from './walk.ts';

describe('a folder on a page whose account was signed out in another tab', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let creator: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-drop-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tide Keeper</title><h1>Tide</h1>');
    creator = await signUp(service, { handle: 'dropper', name: 'Dora' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const spaces = async () => {
    const { db } = service.service.platform.database;
    const rows = await db.selectFrom('spaces').select(['slug', 'owner_id']).execute();
    return rows.map(({ slug, owner_id }) => (owner_id === null ? 'of nobody' : slug));
  };
  const using = (work: (page: Page, context: BrowserContext) => Promise<void>) =>
    usePage(
      browser,
      { url: `${service.baseUrl}/drop`, as: creator, timeoutMs: 20_000, mayComplain: /status of 401/u },
      work,
    );
  const choose = (page: Page) => page.locator('input[data-kind=folder]').setInputFiles(folder);
  const publishButton = (page: Page) => page.getByRole('button', { name: 'Publish a preview' });

  async function signInAgain(page: Page, context: BrowserContext, who: SignedUp): Promise<void> {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in in another tab' }).click();
    const other = await opened;
    await field(other, 'E-mail address').fill(who.email);
    await field(other, 'Password').fill(who.password);
    await press(other, 'Sign in');
    await other.waitForURL('**/drop');
    await other.close();
  }

  it('is not published without an account, and is published after signing in again', () =>
    using(async (page, context) => {
      await choose(page);
      await publishButton(page).waitFor();
      await context.clearCookies();
      await publishButton(page).click();
      await page.getByText('You are not signed in any more.').waitFor();
      assert.deepEqual(await spaces(), []);
      await signInAgain(page, context, creator);
      await press(page, 'Try again');
      await page.getByRole('heading', { name: 'Tide Keeper is ready to try' }).waitFor();
      assert.deepEqual(await spaces(), ['tide-keeper']);
    }));

  it('stays chosen when it was dropped after that', () =>
    using(async (page, context) => {
      await context.clearCookies();
      await choose(page);
      await page.getByText('You are not signed in any more.').waitFor();
      await signInAgain(page, context, creator);
      await press(page, 'Try again');
      await publishButton(page).waitFor();
      await page.getByText('Ready to publish').waitFor();
    }));

  it('is not published as the account that has signed in instead', async () => {
    const other = await signUp(service, { handle: 'somebody_else' });
    await using(async (page, context) => {
      await choose(page);
      await publishButton(page).waitFor();
      const before = await spaces();
      const url = service.baseUrl;
      await context.clearCookies();
      await context.addCookies([...other.cookies].map(([name, value]) => ({ name, value, url })));
      await publishButton(page).click();
      await page.getByText('Another account than @dropper is signed in by now').waitFor();
      assert.deepEqual(await spaces(), before);
    });
  });
});
