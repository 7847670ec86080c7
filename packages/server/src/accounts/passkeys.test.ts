import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../test/browser.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

const routes = '/api/auth/passkey';

/** What the page of the sign-in does, without it: runs inside any page of ours. */
async function authenticate(path: string): Promise<{ status: number; body: unknown }> {
  const options = await (await fetch(`${path}/generate-authenticate-options`)).json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const answer = await fetch(`${path}/verify-authentication`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response: used.toJSON() }),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('a passkey', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ada: SignedUp;
  let devtools: CDPSession;
  let authenticatorId: string;
  let withPasskey: Locator;
  const refusals: string[] = [];
  before(async () => {
    service = await startService();
    browser = await openBrowser();
    context = await browser.newContext();
    // A virtual authenticator takes what autofill offers at once, and nobody would be left to press a button.
    await context.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    page = await context.newPage();
    // What the policy of our own pages forbids them would be said here.
    page.on('console', (message) => refusals.push(message.text()));
    withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    }));
    ada = await signUp(service, { handle: 'ada' });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const section = () => page.getByRole('region', { name: 'Passkeys' });
  const add = async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await section().getByRole('listitem').waitFor();
  };
  const choose = async (what: string) => {
    await page.getByRole('button', { name: /^What to do with/u }).click();
    await page.getByRole('button', { name: what }).click();
  };
  const signOut = async () => {
    await page.goto(`${service.baseUrl}/sign-out`);
    await page.click('main button');
    await page.waitForURL('**/sign-in');
  };
  const cookie = async () => (await context.cookies()).find(({ name }) => name === 'spaceport_session');

  it('is made by somebody who is signed in', async () => {
    await page.goto(`${service.baseUrl}/sign-in`);
    await page.fill('[name=email]', ada.email);
    await page.fill('[name=password]', ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/settings');
    await add();
    await page.getByRole('status').getByText('The passkey is added.').waitFor();
    await choose('Rename…');
    await page.getByLabel('Name', { exact: true }).fill('My laptop');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await section().getByText('My laptop').waitFor();
  });

  it('is made once on a device', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await section()
      .getByRole('alert')
      .getByText('This device has a passkey for your account already.')
      .waitFor();
  });

  it('signs in without a password, into a session that no script can read', async () => {
    await signOut();
    await page.goto(`${service.baseUrl}/sign-in?next=/device`);
    await withPasskey.click();
    await page.waitForURL(({ pathname }) => pathname === '/device');
    const made = await cookie();
    assert.equal(made?.httpOnly, true);
    assert.equal(made?.sameSite, 'Lax');
    await page.goto(`${service.baseUrl}/settings`);
    assert.match(await page.innerText('nav'), /@ada/u);
    const before = made?.value;
    assert.deepEqual(await page.evaluate(authenticate, routes), {
      status: 200,
      body: { signed_in: true },
    });
    assert.notEqual((await cookie())?.value, before);
    const old = visitor(service);
    old.cookies.set('spaceport_session', before ?? '');
    assert.equal((await old.get('/settings')).status, 303);
  });

  it('is of no use once it is removed', async () => {
    await page.goto(`${service.baseUrl}/settings`);
    await choose('Remove…');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await section().getByText('There are none yet.').waitFor();
    const { status, body } = await page.evaluate(authenticate, routes);
    assert.equal(status, 401);
    assert.equal((body as { error: string }).error, 'unauthorized');
    await signOut();
    await withPasskey.click();
    await page.getByRole('alert').getByText('That passkey opens no account').waitFor();
    assert.equal(await withPasskey.isEnabled(), true);
    assert.match(page.url(), /\/sign-in$/u);
  });

  it("is its own account's to remove", async () => {
    await page.fill('[name=email]', ada.email);
    await page.fill('[name=password]', ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/settings');
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await add();
    const text = (await ada.get('/settings')).text();
    const id = /action="\/settings\/passkeys\/remove"><input type="hidden" name="id" value="([^"]+)"/u.exec(
      text,
    )?.[1];
    assert.ok(id);
    const stranger = await signUp(service);
    assert.equal((await stranger.post('/settings/passkeys/remove', { id })).status, 404);
    assert.equal((await ada.post('/settings/passkeys/remove', { id })).status, 303);
  });

  it('needs a challenge of ours, a session to be made, and a page of ours', async () => {
    const nobody = visitor(service);
    const unsigned = await nobody.call('GET', `${routes}/generate-register-options`);
    assert.equal(unsigned.status, 401);
    assert.equal(unsigned.json().error, 'unauthorized');
    for (const path of ['verify-registration', 'verify-authentication']) {
      const forged = await ada.call('POST', `${routes}/${path}`, { response: { id: 'x' } });
      assert.equal(forged.status, 422, forged.text());
      assert.equal(forged.json().error, 'invalid');
      const malformed = await ada.call('POST', `${routes}/${path}`, 7);
      assert.equal(malformed.status, 422, malformed.text());
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      const sent = await ada.call('POST', `${routes}/${path}`, { response: {} }, foreign);
      assert.equal(sent.status, 403);
      assert.equal(sent.json().error, 'forbidden');
    }
  });

  it('is offered where a script runs, and within the policy of our pages', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await plain.newPage();
    await quiet.goto(`${service.baseUrl}/sign-in`);
    assert.equal(await quiet.getByText('Sign in with a passkey').isVisible(), false);
    await plain.close();
    assert.deepEqual(
      refusals.filter((text) => /Content.Security.Policy|refused/iu.test(text)),
      [],
    );
  });

  it('is all that better-auth answers for itself', async () => {
    for (const path of [
      '/api/auth/sign-up/email',
      '/api/auth/sign-in/email',
      '/api/auth/get-session',
      '/api/auth/ok',
    ]) {
      for (const method of ['GET', 'POST']) {
        assert.equal((await ada.call(method, path, method === 'POST' ? {} : undefined)).status, 404);
      }
    }
  });
});
