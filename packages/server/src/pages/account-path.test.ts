import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../test/browser.ts';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { linkIn, mailsTo } from '../../test/visitor.ts';

/** The first steps of a new creator, in a real browser that runs no script. */
describe('from signing up to a token that publishes', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const refusals: string[] = [];
  before(async () => {
    service = await startService();
    browser = await openBrowser();
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.baseUrl });
    page = await context.newPage();
    // The browser reports violations of our content security policy here.
    page.on('console', (message) => refusals.push(message.text()));
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const send = async (label: string) => {
    await page.getByRole('button', { name: label }).click();
    await whole();
  };
  /** Waits until the browser has read the whole document, not only its beginning. */
  const whole = () => page.waitForLoadState('domcontentloaded');
  let login: { device_code: string; user_code: string; verification_uri_complete: string };

  it('leads through account and handle back to the code of the device', async () => {
    login = (
      await service.anonymous.call('POST', '/api/agent/login', { client_name: 'spaceport on a laptop' })
    ).json();
    await page.goto(login.verification_uri_complete);
    await page.getByRole('link', { name: 'Make an account' }).click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill('a long password');
    await send('Make the account');
    await page.getByLabel('Handle').fill('ada');
    await send('Take this handle');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Did you start this?');
    const text = await page.innerText('main');
    for (const shown of ['@ada', 'spaceport on a laptop', '127.0.0.1', login.user_code]) {
      assert.ok(text.includes(shown), shown);
    }
  });

  it('gives the device a token that publishes', async () => {
    await send('Yes, I started it');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Done');
    const { device_code } = login;
    const { access_token } = (
      await service.anonymous.call('POST', '/api/agent/token', { device_code })
    ).json();
    const created = await service.anonymous.call(
      'POST',
      '/api/v1/hosting/versions',
      { fields: listing, files: fileEntries(smallGame) },
      { authorization: `Bearer ${access_token}` },
    );
    assert.equal(created.status, 201, created.text());
  });

  it('confirms the address, and takes the token back', async () => {
    await page.goto(linkIn((await mailsTo(service, 'ada@example.org'))[0]));
    await send('Confirm');
    await page.getByRole('link', { name: 'Go to your settings' }).click();
    await whole();
    assert.match(await page.innerText('main'), /ada@example\.org Confirmed/u);
    await page.locator('summary').filter({ hasText: 'Revoke' }).click();
    await send('Revoke spaceport on a laptop');
    assert.match(await page.innerText('main'), /The token is revoked\./u);
    assert.match(
      await page.innerText('main'),
      /You have no tokens\. npx --yes \S+\/cli\.tgz login makes one\./u,
    );
  });

  it('signs out, and in again', async () => {
    await page.getByText('@ada').first().click();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await send('Sign out');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill('not the password');
    await send('Sign in');
    assert.equal(await page.getByRole('alert').innerText(), 'The e-mail address or the password is wrong.');
    await page.getByLabel('Password').fill('a long password');
    await send('Sign in');
    assert.equal(new URL(page.url()).pathname, '/');
    assert.match(await page.innerText('header'), /@ada/u);
  });

  it('violated no content security policy of the pages', () => {
    assert.deepEqual(
      refusals.filter((text) => /Content.Security.Policy|refused/iu.test(text)),
      [],
    );
  });
});
