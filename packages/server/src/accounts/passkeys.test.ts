import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../test/browser.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';
import { setBanned } from './ban.ts';

const routes = '/api/auth/passkey';

/** A passkey as an earlier release stored it, without its account. */
const olderPasskey = {
  id: givenId('psk', 'auth_ge398jzwn3hg1ph9'),
  name: 'My laptop',
  public_key: 'pAEBAycgBiFYILf7wao00moEEwt00iLD1foLGpj2x0aM+1DCcBlnoxdi',
  credential_id: 'htWHsrB_Jt2xvMZD6CI02pFfxqF_EetudecNOGF7sSM',
  counter: 1,
  device_type: 'singleDevice',
  backed_up: 0 as const,
  transports: 'internal',
  created_at: 1_795_308_819_787,
  aaguid: '01020304-0506-0708-0102-030405060708',
};

/** The same passkey in the virtual authenticator that made it. */
const olderCredential = {
  credentialId: 'htWHsrB/Jt2xvMZD6CI02pFfxqF/EetudecNOGF7sSM=',
  isResidentCredential: true,
  rpId: 'localhost',
  privateKey: 'MC4CAQAwBQYDK2VwBCIEIJNhMZbg9O4owD4Uhlg1UWu5R2pO+sdamjs302rzhaFY',
  userHandle: 'aXlxdm04NmIzeDZlMGwwMXJ5NG40bjV0cTgzMDhwd2Y=',
  signCount: 1,
};

/** Does what the sign-in page does. It runs inside any page of the service. */
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
    // A virtual authenticator accepts autofill's offer at once, so that the button would never be pressed.
    await context.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    page = await context.newPage();
    // Violations of the page's content security policy are logged here.
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

  it('is created by a signed-in account', async () => {
    await page.goto(`${service.baseUrl}/sign-in?next=/settings`);
    await page.fill('[name=email]', ada.email);
    await page.fill('[name=password]', ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/settings');
    await add();
    await page.getByRole('status').getByText('The passkey is added.').waitFor();
    await choose('Rename…');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('My laptop');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await section().getByText('My laptop').waitFor();
  });

  it('is created once on a device', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await section()
      .getByRole('alert')
      .getByText('This device has a passkey for your account already.')
      .waitFor();
  });

  it('signs in without a password, into a session whose cookie scripts cannot read', async () => {
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

  it('does not sign in after it is removed', async () => {
    await page.goto(`${service.baseUrl}/settings`);
    await choose('Remove…');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await section().getByText('You have no passkeys yet.').waitFor();
    const { status, body } = await page.evaluate(authenticate, routes);
    assert.equal(status, 401);
    assert.equal((body as { error: string }).error, 'unauthorized');
    await signOut();
    await withPasskey.click();
    await page.getByRole('alert').getByText('No account has this passkey').waitFor();
    assert.equal(await withPasskey.isEnabled(), true);
    assert.match(page.url(), /\/sign-in$/u);
  });

  it('can be removed only by its own account', async () => {
    await page.goto(`${service.baseUrl}/sign-in?next=/settings`);
    await page.fill('[name=email]', ada.email);
    await page.fill('[name=password]', ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/settings');
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await add();
    const text = (await ada.get('/settings')).text();
    const id =
      /action="\/settings\/passkeys\/remove"[^>]*><input type="hidden" name="id" value="([^"]+)"/u.exec(
        text,
      )?.[1];
    assert.ok(id);
    const stranger = await signUp(service);
    assert.equal((await stranger.post('/settings/passkeys/remove', { id })).status, 404);
    assert.equal((await ada.post('/settings/passkeys/remove', { id })).status, 303);
  });

  it('signs in when it was made under an earlier release', async () => {
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('creators')
      .select('id')
      .where('email', '=', ada.email)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('auth_passkeys')
      .values({ ...olderPasskey, creator_id: id })
      .execute();
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: olderCredential });
    const answer = await page.evaluate(authenticate, routes);
    assert.deepEqual(answer, { status: 200, body: { signed_in: true } });
    // The authenticator counts uses, so an earlier answer would be refused.
    const used = await db
      .selectFrom('auth_passkeys')
      .select('counter')
      .where('id', '=', olderPasskey.id)
      .executeTakeFirst();
    assert.equal(used?.counter, olderPasskey.counter + 1);
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: olderCredential });
    assert.equal((await page.evaluate(authenticate, routes)).status, 422);
  });

  it('does not sign in to a banned account', async () => {
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    const credential = { ...olderCredential, signCount: 9 };
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    const { database } = service.service.platform;
    const { creator_id: id } = await database.db
      .selectFrom('auth_passkeys')
      .select('creator_id')
      .where('id', '=', olderPasskey.id)
      .executeTakeFirstOrThrow();
    await database.transaction((tx) => setBanned(tx, id, true));
    const { status, body } = await page.evaluate(authenticate, routes);
    assert.equal(status, 403);
    assert.match((body as { message: string }).message, /This account is banned/u);
    await database.transaction((tx) => setBanned(tx, id, false));
    assert.equal((await page.evaluate(authenticate, routes)).status, 200);
  });

  it('is offered where scripts run, and works under the content security policy', async () => {
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
});
