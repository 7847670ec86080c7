import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { linkIn, mailsTo, type SignedUp, signUp, visitor } from '../../server/test/visitor.ts';
import { exchange, publishUnlisted, settledAccount, startLogin } from './account-seed.ts';
import { field, openPage, press, takenOver } from './walk.ts';

describe('the account pages in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { SIGN_UPS_PER_HOUR: '1000', ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } }),
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

  const row = (page: Page, name: string) => page.locator('summary').filter({ hasText: name });

  it('approve a device by its code, after showing what asks', async () => {
    const ada = await signUp(service, { handle: 'ada' });
    const name = '<img src=x onerror="document.title=1">';
    const login = await startLogin(service, name);
    const page = await open('/device', ada);
    // The browser gives the focus when it first draws the page, which may be later than script takes it over.
    await field(page, 'Code').and(page.locator(':focus')).waitFor();
    await field(page, 'Code').fill('bbbb-bbbb');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That code is wrong.').waitFor();
    await field(page, 'Code').fill(login.user_code.toLowerCase().replace('-', ''));
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { name: 'Did you start this?' });
    await title.waitFor();
    assert.ok(await title.evaluate((heading) => heading === document.activeElement), 'is read out');
    for (const shown of [name, '@ada', '127.0.0.1', login.user_code])
      await page.locator('main').getByText(shown).first().waitFor();
    assert.equal((await exchange(service, login)).error, 'authorization_pending');
    await press(page, 'Yes, I started it');
    await page.getByText('is signed in. You can close this page').waitFor();
    assert.ok((await exchange(service, login)).access_token);
    await page.goto(login.verification_uri_complete);
    await page.getByRole('alert').getByText('That code has been used already.').waitFor();
    await context.close();
  });

  it('deny a device, and count wrong codes that are typed but not those of links', async () => {
    const ada = await signUp(service);
    const page = await open('/device?user_code=BBBB-BBBB', ada);
    const wrong = page.getByRole('alert').getByText('That code is wrong.');
    for (let opened = 1; opened <= 5; opened++) {
      await page.reload();
      await wrong.waitFor();
    }
    const login = await startLogin(service, 'spaceport on a laptop');
    await page.goto(login.verification_uri_complete);
    await takenOver(page);
    await press(page, 'No, refuse it');
    await page.getByText('was not signed in').waitFor();
    assert.equal((await exchange(service, login)).error, 'access_denied');
    await page.goto(at('/device'));
    await takenOver(page);
    for (let tried = 1; tried <= 5; tried++) {
      const answer = page.waitForResponse('**/api/account/device');
      await field(page, 'Code').fill('BBBB-BBBB');
      await press(page, 'Continue');
      await answer;
      // The page ignores presses until it has read the answer.
      await page.locator('[aria-busy]').waitFor({ state: 'detached' });
    }
    await page.getByRole('alert').getByText('Too many wrong codes.').waitFor();
    await context.close();
  });

  it('claim the page of a claim link after a sign-in, and lead to its dashboard', async () => {
    const { email, password } = await signUp(service, { handle: 'claimer' });
    const token = await publishUnlisted(service);
    const page = await open(`/claim#${token}`);
    await page.getByText('in 7 days').waitFor();
    assert.ok(!page.url().includes('sp_claim_'), 'the token has left the address');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await takenOver(page);
    assert.ok(!page.url().includes('sp_claim_'));
    await field(page, 'E-mail address').fill(email);
    await field(page, 'Password').fill(password);
    await press(page, 'Sign in');
    await page.waitForURL('**/claim');
    await press(page, 'Claim the page');
    await page.getByText('Moon Hopper is now in your account').waitFor();
    await page.getByRole('link', { name: 'Manage it' }).click();
    await page.waitForURL('**/dashboard/moon-hopper');

    await page.goto(at('/claim'));
    await takenOver(page);
    assert.equal(await field(page, 'Claim token').inputValue(), '', 'is kept no longer than it is needed');
    await field(page, 'Claim token').fill('sp_claim');
    await press(page, 'Continue');
    await page.getByText('This is not a claim token').waitFor();
    await field(page, 'Claim token').fill(token);
    await press(page, 'Continue');
    await page.getByText('This page was claimed already.').waitFor();
    const other = await publishUnlisted(service);
    await page.goto(at(`/claim#${other}`));
    await page.getByText('in 7 days').waitFor();
    assert.ok(!page.url().includes('sp_claim_'), 'in the page that was open');
    await context.close();
  });

  it('claim a page for somebody without a handle, who chooses one on the way', async () => {
    const page = await open(`/claim#${await publishUnlisted(service)}`, await signUp(service));
    await press(page, 'Claim the page');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Handle').fill('named_now');
    await dialog.getByRole('button', { name: 'Choose it and continue' }).click();
    await page.getByText('is now in your account').waitFor();
    await context.close();
  });

  it('change name, address and password', async () => {
    const ada = await signUp(service, { handle: 'changing', name: 'Ada' });
    const page = await open('/settings?done=password', ada);
    // The message after a form that was sent without script stays when the page has taken over.
    await page.getByRole('status').getByText('Every other browser was signed out.').waitFor();
    await row(page, 'Name').click();
    await field(page, 'Name').fill('Augusta');
    await page.keyboard.press('Enter');
    await row(page, 'Name').getByText('Augusta').waitFor();
    assert.ok(await row(page, 'Name').evaluate((line) => line === document.activeElement));

    const to = 'augusta@example.org';
    await row(page, 'E-mail').click();
    await field(page, 'New e-mail address').fill(to);
    await field(page, 'Your password').fill('not it');
    await press(page, 'Change the address');
    await page.getByText('It is not your password.').waitFor();
    assert.equal(await field(page, 'New e-mail address').inputValue(), to, 'keeps what was typed');
    await field(page, 'Your password').fill(ada.password);
    await press(page, 'Change the address');
    await page.getByRole('status').getByText(`A link is on its way to ${to}.`).waitFor();
    await page.goto(at(linkIn((await mailsTo(service, to))[0])));
    await press(page, 'Confirm');
    await page.getByRole('link', { name: 'Go to your settings' }).click();
    await row(page, 'E-mail').getByText(`${to} confirmed`).waitFor();

    await takenOver(page);
    await row(page, 'Password').click();
    await field(page, 'Current password').fill(ada.password);
    await field(page, 'New password').fill('another long password');
    await press(page, 'Change the password');
    await page.getByText('Your password is changed.').waitFor();
    await page.reload();
    await row(page, 'Password').waitFor();
    const again = await visitor(service).post('/sign-in', { email: to, password: 'another long password' });
    assert.equal(again.status, 303);
    await context.close();
  });

  it('revoke a token and sign out other browsers, after saying what that means', async () => {
    const ada = await settledAccount(service, 'settled');
    const login = await startLogin(service, 'lost laptop');
    await ada.call('POST', '/api/account/device/decision', {
      user_code: login.user_code,
      decision: 'approve',
    });
    const { access_token: token } = await exchange(service, login);
    const me = async () =>
      (await visitor(service).call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` }))
        .status;
    assert.equal(await me(), 200);
    const page = await open('/settings', ada);
    await press(page, 'Revoke lost laptop');
    await page.getByRole('dialog').getByText('refused at once').waitFor();
    await press(page, 'Cancel');
    assert.equal(await me(), 200);
    await press(page, 'Revoke lost laptop');
    await press(page, 'Revoke');
    await page.getByRole('button', { name: 'Revoke lost laptop' }).waitFor({ state: 'detached' });
    // The focus is not lost.
    await page.getByText('Each of these can act in your name').and(page.locator(':focus')).waitFor();
    assert.equal(await me(), 401);

    const list = async () => (await ada.call('GET', '/api/account/sessions')).json().sessions.length;
    assert.equal(await list(), 3);
    const other = visitor(service);
    await other.post('/sign-in', { email: ada.email, password: ada.password });
    await press(page, 'Sign out Safari on iPhone');
    await press(page, 'Sign it out');
    await page.getByRole('listitem').filter({ hasText: 'Safari on iPhone' }).waitFor({ state: 'detached' });
    assert.equal(await list(), 3);
    await page.reload();
    await takenOver(page);
    await press(page, 'Sign out the others…');
    await press(page, 'Sign them out');
    await page.getByRole('listitem').filter({ hasText: 'Edge on Windows' }).waitFor({ state: 'detached' });
    assert.equal(await list(), 1);
    assert.equal((await other.get('/settings')).status, 303);

    await ada.post('/sign-out');
    await row(page, 'Name').click();
    await field(page, 'Name').fill('Nobody');
    await press(page, 'Save the name');
    const alert = page.getByRole('alert').filter({ hasText: 'You are not signed in any more.' });
    // In another tab, so that what was typed is not lost.
    const opened = context.waitForEvent('page');
    await alert.getByRole('link', { name: 'Sign in' }).click();
    await (await opened).waitForURL('**/sign-in?next=%2Fsettings');
    assert.equal(await field(page, 'Name').inputValue(), 'Nobody');
    await context.close();
  });

  it('delete no other account, which has signed in in another tab', async () => {
    const page = await open('/settings', await signUp(service, { handle: 'first_here' }));
    const other = await signUp(service, { handle: 'then_here' });
    await context.clearCookies();
    const url = service.baseUrl;
    await context.addCookies([...other.cookies].map(([name, value]) => ({ name, value, url })));
    await press(page, 'Delete my account');
    await field(page, 'Type first_here to go on').fill('first_here');
    await press(page, 'Delete it for good');
    await page.getByText('Another account than @first_here is signed in by now').waitFor();
    assert.equal((await other.call('GET', '/api/account')).json().account.handle, 'then_here');
    await context.close();
  });

  it('show more tokens below the first ones, which are narrowed and revoked as those are', async () => {
    const grace = await signUp(service, { handle: 'grace' });
    const name = (at: number) => `program ${at}`;
    for (let at = 0; at < 26; at++) {
      const scopes = ['publish', 'boards'];
      const made = await grace.call('POST', '/api/account/tokens', { name: name(at), scopes });
      assert.equal(made.status, 201, made.text());
      service.clock.advance({ seconds: 1 });
    }
    const page = await open('/settings', grace);
    const rows = page.getByRole('button', { name: /^Revoke program \d+$/u });
    assert.equal(await rows.count(), 24);
    await page.getByRole('link', { name: 'Show more' }).press('Enter');
    await page
      .getByRole('button', { name: 'Narrow program 1', exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    assert.equal(await rows.count(), 26);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Boards').first().click();
    await press(page, 'Narrow it');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, 'Revoke program 0');
    await press(page, 'Revoke');
    await page.getByRole('button', { name: 'Revoke program 0', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 25);
    const left = (await grace.call('GET', '/api/account/tokens')).json().tokens;
    assert.deepEqual(
      left.map(({ client_name }: { client_name: string }) => client_name),
      Array.from({ length: 25 }, (_, at) => name(25 - at)),
    );
    assert.deepEqual(left.at(-1).scopes, ['publish']);
    await context.close();
  });
});
