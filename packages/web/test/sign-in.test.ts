import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { linkIn, mailsTo, type SignedUp, signUp } from '../../server/test/visitor.ts';
import { field, openContext, openPage, press, takenOver } from './walk.ts';

const password = 'correct horse battery staple';

describe('signing up and signing in, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.baseUrl}${path}`;

  async function open(path: string, as?: SignedUp): Promise<Page> {
    const page = await openPage(browser, { url: at(path), as });
    context = page.context();
    return page;
  }

  /** Gives the browser a place for passkeys, whose owner says yes at once unless `isPresent` is false. */
  async function addAuthenticator(page: Page, { isPresent = true } = {}): Promise<void> {
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: isPresent,
      },
    });
  }

  const leads = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);

  it('signs up, shows errors beside their fields, then asks for a handle and continues', async () => {
    const page = await open('/sign-up?next=/device');
    await field(page, 'Your name').fill('Ada');
    await field(page, 'E-mail address').fill('ada@example.org');
    await field(page, 'Password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('It must be at least 8 characters.').waitFor();
    assert.equal(await field(page, 'Your name').inputValue(), 'Ada', 'keeps what was typed');
    assert.equal(await field(page, 'Password').getAttribute('aria-invalid'), 'true');
    await page.getByText('3 more characters.').waitFor();
    // The button has the focus when the form is sent; the problem's field has it afterwards.
    await field(page, 'Your name').fill('Ada\u2066');
    await press(page, 'Make the account');
    await page.getByText('Take out the characters that cannot be seen.').waitFor();
    await field(page, 'Your name').and(page.locator(':focus')).waitFor();
    await field(page, 'Your name').fill('Ada');
    await field(page, 'Password').fill(password);
    await page.getByText('Long enough.').waitFor();
    await press(page, 'Show what was typed');
    assert.equal(await field(page, 'Password').getAttribute('type'), 'text');
    // Its name says what it does. Pressed as well, it would be said to be hiding.
    const hide = page.getByRole('button', { name: 'Hide what was typed' });
    assert.equal(await hide.getAttribute('aria-pressed'), null);
    await hide.click();
    await press(page, 'Make the account');
    await leads(page, '/handle?next=%2Fdevice');
    await field(page, 'Handle').fill('ada');
    await press(page, 'Take this handle');
    await leads(page, '/device');
    await context.close();
  });

  it('signs in with text typed before script took over, and goes to the requested page', async () => {
    const { email, password: right } = await signUp(service);
    context = await openContext(browser, undefined, { url: at('/') });
    const page = await context.newPage();
    // The page's own script comes late, as on a slow connection.
    const late = Promise.withResolvers<void>();
    await page.route(/\/assets\/sign-in\.page.*\.js$/u, async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(at('/sign-in?next=/device%3Fuser_code%3DX'), { waitUntil: 'commit' });
    await field(page, 'E-mail address').fill(email);
    await field(page, 'Password').fill('wrong');
    late.resolve();
    await takenOver(page);
    assert.equal(await field(page, 'E-mail address').inputValue(), email);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
    assert.equal(await field(page, 'E-mail address').inputValue(), email);
    await field(page, 'Password').fill(right);
    await page.keyboard.press('Enter');
    await leads(page, '/device?user_code=X');
    await context.close();
  });

  it('says that it needs cookies where the browser keeps none, instead of asking again and again', async () => {
    context = await openContext(browser, undefined, { url: at('/') });
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
    );
    const page = await context.newPage();
    const calls: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
    for (const [path, button] of [
      ['/sign-in', 'Sign in'],
      ['/sign-in', 'Sign in with a passkey'],
      ['/sign-up', 'Make the account'],
    ] as const) {
      await page.goto(at(path));
      await takenOver(page);
      await field(page, 'E-mail address').fill('ada@example.org');
      await field(page, 'Password').fill(password);
      await press(page, button);
      await page.getByRole('alert').getByText('keeps no cookies of this site').waitFor();
    }
    assert.deepEqual(calls, []);
    await context.close();
  });

  it('offers no passkey by itself while the one of the pressed button is waited for', async () => {
    const page = await open('/reset');
    await page.clock.install();
    await addAuthenticator(page, { isPresent: false });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('generate-authenticate-options')) asked.push(request.url());
    });
    const offered = page.waitForResponse(/generate-authenticate-options$/u);
    await page.goto(at('/sign-in'));
    await offered;
    const pressed = page.waitForResponse(/generate-authenticate-options$/u);
    await press(page, 'Sign in with a passkey');
    await pressed;
    await page.clock.fastForward(5 * 60_000);
    // A request of the page's own timer would have begun before this one.
    await page.evaluate(() => fetch('/healthz'));
    assert.equal(asked.length, 2);
    await context.close();
  });

  it('makes a passkey, and signs in with it by autofill and by the button', async () => {
    const ada = await signUp(service, { handle: 'passkeys' });
    const page = await open('/settings', ada);
    await addAuthenticator(page);
    await press(page, 'Add a passkey');
    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByText('Chrome on Linux').waitFor();
    await press(page, 'What to do with Chrome on Linux');
    await press(page, 'Rename…');
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    assert.ok(await name.evaluate((input) => input === document.activeElement));
    await name.fill('Work laptop');
    await page.keyboard.press('Enter');
    await passkeys.getByText('Work laptop').waitFor();

    // The page offers passkeys at once, so a person who has one need not press anything.
    await context.clearCookies();
    await page.goto(at('/sign-in?next=/settings'));
    await leads(page, '/settings');

    await context.clearCookies();
    await context.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await page.goto(at('/sign-in?next=/settings'));
    await press(page, 'Sign in with a passkey');
    await leads(page, '/settings');

    await takenOver(page);
    await press(page, 'What to do with Work laptop');
    await press(page, 'Remove…');
    await page.getByRole('dialog').getByText('cannot be brought back').waitFor();
    await press(page, 'Remove');
    await passkeys.getByText('You have no passkeys yet.').waitFor();
    await context.clearCookies();
    await page.goto(at('/sign-in'));
    await press(page, 'Sign in with a passkey');
    await page.getByRole('alert').getByText('No account has this passkey').waitFor();
    await context.close();
  });

  it('sends a password reset with the same message for any address, and sets it by the link', async () => {
    const { email } = await signUp(service);
    const page = await open('/sign-in?next=/me');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await leads(page, '/reset?next=%2Fme');
    const ask = async (address: string) => {
      await field(page, 'E-mail address').fill(address);
      await press(page, 'Send the link');
      const title = page.getByRole('heading', { name: 'Check your mail' });
      await title.waitFor();
      assert.ok(await title.evaluate((heading) => heading === document.activeElement), 'is read out');
      return (await page.locator('main').innerText()).replaceAll(address, '…');
    };
    const unknown = await ask('nobody@example.org');
    await page.getByRole('link', { name: 'Send it again, or to another address' }).click();
    assert.equal(await field(page, 'E-mail address').inputValue(), 'nobody@example.org');
    assert.equal(await ask(email), unknown);

    const mail = (await mailsTo(service, email)).find((text) => text.includes('Choose a new password'));
    await page.goto(at(linkIn(mail)));
    await takenOver(page);
    await field(page, 'New password').fill('short');
    await press(page, 'Change the password');
    await page.getByText('It must be at least 8 characters.').waitFor();
    await field(page, 'New password').fill(password);
    await press(page, 'Change the password');
    await page.getByText('Your password is changed.').waitFor();
    await takenOver(page);
    await field(page, 'E-mail address').fill(email);
    await field(page, 'Password').fill(password);
    await press(page, 'Sign in');
    await leads(page, '/me');

    await page.goto(at(linkIn(mail)));
    await takenOver(page);
    await field(page, 'New password').fill(password);
    await press(page, 'Change the password');
    await page.getByText('The link is wrong, used or too old; ask for a new one.').waitFor();
    await page.getByRole('link', { name: 'Ask for another link' }).click();
    await leads(page, '/reset');
    await context.close();
  });
});
