import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { signUp } from '../../server/test/visitor.ts';
import { openContext, takenOver } from './walk.ts';

/** A page that was published without an account, for an account that is made after it in the same browser. */
describe('a page that the browser keeps', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-kept-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tide</title><h1>Tide</h1>');
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (path: string) => new URL(path, service.baseUrl).href;
  const claimLink = (page: Page) => page.getByRole('link', { name: 'Claim Tide' });

  async function publish(page: Page): Promise<void> {
    await page.locator('input[data-kind=folder]').setInputFiles(folder);
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByRole('heading', { name: 'Tide is ready to try' }).waitFor();
  }

  /** Publishes the page in a new browser, and signs up there. */
  async function published(): Promise<{ context: BrowserContext; page: Page }> {
    const context = await openContext(browser, undefined, { url: at('/drop') });
    const page = await context.newPage();
    await page.goto(at('/drop'));
    await publish(page);
    const { cookies } = await signUp(service, { handle: `tide_${++accounts}` });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: at('/') })));
    return { context, page };
  }
  let accounts = 0;

  it('can be claimed by an account that has just chosen its handle, after a first try that failed', async () => {
    const context = await openContext(browser, undefined, { url: at('/drop') });
    const page = await context.newPage();
    await page.goto(at('/drop'));
    await publish(page);
    const { cookies } = await signUp(service);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: at('/') })));
    await page.goto(at('/claim'));
    await claimLink(page).click();
    let tries = 0;
    await page.route('**/api/account/claim', (route) => {
      tries += 1;
      return tries === 1 ? route.fulfill({ status: 500, body: 'broken' }) : route.continue();
    });
    const claim = page.getByRole('button', { name: 'Claim the page' });
    await claim.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Handle').fill('just_named');
    await dialog.getByRole('button', { name: 'Choose it and continue' }).click();
    await page.getByText('Something went wrong on our side').waitFor();
    await claim.click();
    await page.getByText('Tide is now in your account').waitFor();
    await context.close();
  });

  it('can be claimed from the dashboard and from /claim, without its claim link', async () => {
    const { context, page } = await published();
    await page.goto(at('/dashboard'));
    await claimLink(page).waitFor();
    await page.goto(at('/claim'));
    await claimLink(page).click();
    await page.getByRole('button', { name: 'Claim the page' }).click();
    await page.getByText('Tide is now in your account').waitFor();
    await page.goto(at('/dashboard'));
    await page.getByRole('heading', { name: 'Your spaces' }).waitFor();
    await takenOver(page);
    assert.equal(await claimLink(page).count(), 0);
    await context.close();
  });

  it('is not offered any more once the account has published to it', async () => {
    const { context, page } = await published();
    await page.goto(at('/drop'));
    await claimLink(page).waitFor();
    await publish(page);
    await page.getByRole('button', { name: 'Drop another version' }).click();
    await page.getByRole('heading', { name: 'Publish a folder' }).waitFor();
    assert.equal(await claimLink(page).count(), 0);
    await context.close();
  });

  it('is not offered any more once its claim link says that it was claimed', async () => {
    const { context, page } = await published();
    await page.goto(at('/dashboard'));
    const href = (await claimLink(page).getAttribute('href')) ?? '';
    const claim_token = href.slice(href.indexOf('#') + 1);
    const owner = await signUp(service, { handle: 'tide_owner' });
    const claimed = await owner.call('POST', '/api/account/claim', { claim_token });
    assert.equal(claimed.status, 200, claimed.text());
    await claimLink(page).click();
    await page.getByText('This page was claimed already.').waitFor();
    await page.goto(at('/dashboard'));
    await page.getByRole('heading', { name: 'Publish your first space' }).waitFor();
    await takenOver(page);
    assert.equal(await claimLink(page).count(), 0);
    await context.close();
  });
});
