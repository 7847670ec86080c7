import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { exchange, publishUnlisted, startLogin } from './account-seed.ts';
import { game } from './seed.ts';

describe('without script', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ada: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ada = await signUp(service, { handle: 'ada' });
    context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.baseUrl });
    page = await context.newPage();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('a space can be opened and played', async () => {
    const { space } = await publishLive(service, await service.creator('maker'), {
      ...game,
      'index.html': '<!doctype html><title>Game</title><h1 id="runs">It runs</h1>',
    });
    await page.goto('/');
    await page.locator(`a[href$="/s/${space.slug}"]`).first().click();
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Moon Hopper');
    await page.frameLocator('iframe').locator('#runs').waitFor();
    await page.getByRole('link', { name: '@maker' }).first().click();
    await page.waitForURL('**/@maker');
  });

  it('somebody can sign in, sees errors, and is offered nothing that needs script', async () => {
    await page.goto('/sign-in?next=/device');
    assert.equal(await page.getByText('Sign in with a passkey').isVisible(), false);
    assert.equal(await page.getByText('what was typed').isVisible(), false);
    await page.getByLabel('E-mail address').fill(ada.email);
    await page.getByLabel('Password').fill('not it');
    await press('Sign in');
    assert.equal(await page.getByRole('alert').innerText(), 'The e-mail address or the password is wrong.');
    assert.equal(await page.getByLabel('E-mail address').inputValue(), ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await press('Sign in');
    await page.waitForURL('**/device');
  });

  it('a device can be approved, and another one denied', async () => {
    const login = await startLogin(service, 'spaceport on a laptop');
    await page.getByLabel('Code').fill('BBBB-BBBB');
    await press('Continue');
    assert.match(await page.getByRole('alert').innerText(), /^That code is wrong\./u);
    await page.getByLabel('Code').fill(login.user_code);
    await press('Continue');
    await page.getByText('spaceport on a laptop').waitFor();
    await press('Yes, I started it');
    await page.getByText('is signed in.').waitFor();
    assert.ok((await exchange(service, login)).access_token);
    const other = await startLogin(service, 'somebody else');
    await page.goto(other.verification_uri_complete);
    await press('No, refuse it');
    await page.getByText('was not signed in').waitFor();
    assert.equal((await exchange(service, other)).error, 'access_denied');
  });

  it('a page can be claimed by the token or the whole link, which leads to its dashboard', async () => {
    const link = async () => `${service.baseUrl}/claim#${await publishUnlisted(service)}`;
    await page.goto(await link());
    await page.getByLabel('Claim token').fill('sp_claim_wrong');
    await press('Claim the page');
    await page.getByRole('alert').getByText('This is not a claim token.').waitFor();
    await page.getByLabel('Claim token').fill(await link());
    await press('Claim the page');
    await page.getByText('is now in your account').waitFor();
    await page.getByRole('link', { name: 'Manage it' }).click();
    await page.waitForURL('**/dashboard/moon-hopper*');
  });

  it('somebody without a handle is asked to choose one before they claim', async () => {
    const newcomer = await signUp(service);
    assert.match((await newcomer.get('/claim')).text(), /href="\/handle\?next=\/claim"/u);
    const answer = await newcomer.post('/claim', { token: await publishUnlisted(service) });
    assert.equal(answer.status, 409);
    assert.match(answer.text(), /Pick a handle first, then claim the page\./u);
    assert.match(answer.text(), /href="\/handle\?next=\/claim"/u);
  });

  it('name, passkeys, tokens and browsers are in the settings, and a section with an error is open', async () => {
    await page.goto('/settings');
    assert.equal(await page.getByText('Add a passkey').isVisible(), false);
    await page.locator('summary').filter({ hasText: 'Name' }).click();
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(60).replace('x', '\u200b\t'));
    await press('Save the name');
    await page.locator('.error').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).isVisible(), true);
    await page.getByLabel('Name', { exact: true }).fill('Augusta');
    await press('Save the name');
    await page.getByRole('status').getByText('Your name is changed.').waitFor();
    await page.locator('summary').filter({ hasText: 'Revoke' }).click();
    // The text is in a noscript element, which Playwright does not search by text.
    await page.locator('p').filter({ hasText: 'are refused at once' }).waitFor();
    await press('Revoke spaceport on a laptop');
    await page.getByRole('status').getByText('The token is revoked.').waitFor();
    await page.locator('p').filter({ hasText: 'using a passkey needs JavaScript' }).waitFor();
  });

  it('somebody can delete their account, sees errors, and is signed out', async () => {
    const leaver = await signUp(service, { handle: 'leaver' });
    const own = await browser.newContext({ javaScriptEnabled: false, baseURL: service.baseUrl });
    try {
      const settings = await own.newPage();
      await settings.goto('/sign-in?next=/settings');
      await settings.getByLabel('E-mail address').fill(leaver.email);
      await settings.getByLabel('Password').fill(leaver.password);
      await settings.getByRole('button', { name: 'Sign in', exact: true }).click();
      await settings.waitForURL('**/settings');
      await settings.locator('summary').filter({ hasText: 'Delete my account' }).click();
      const form = settings.locator('form[action="/settings/delete"]');
      const send = async (typed: string, password: string) => {
        await form.locator('[name=typed]').fill(typed);
        await form.locator('[name=password]').fill(password);
        await form.locator('button[type=submit]').click();
      };
      await send('somebody', leaver.password);
      assert.equal(await form.locator('.error').textContent(), 'It must be leaver.');
      await send('@leaver', 'not it');
      assert.equal(await form.locator('.error').textContent(), 'It is not your password.');
      assert.equal(await form.locator('[name=typed]').inputValue(), '@leaver');
      assert.equal((await leaver.call('GET', '/api/account')).json().account.handle, 'leaver');
      await send('@leaver', leaver.password);
      await settings.waitForURL(`${service.baseUrl}/`);
      assert.deepEqual(await own.cookies(), []);
      assert.equal((await leaver.call('GET', '/api/account')).json().account, null);
    } finally {
      await own.close();
    }
  });
});
