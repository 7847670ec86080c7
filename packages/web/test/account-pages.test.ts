import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { publishUnlisted, settledAccount, startLogin } from './account-seed.ts';
import { looks, openContext, walk } from './walk.ts';

/**
 * Two looks that differ in both device and scheme, for states of pages that other tests open in every look.
 */
const twice = looks.filter(({ device, scheme }) => (device === 'phone') === (scheme === 'dark'));

describe('the pages of an account', () => {
  let service: TestService;
  let browser: Browser;
  let ada: SignedUp;
  let newcomer: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { SIGN_UPS_PER_HOUR: '1000', ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    ada = await settledAccount(service, 'ada');
    newcomer = await signUp(service, { name: 'Nell', email: 'nell@example.org' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.baseUrl}${path}`;
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).click();
  /** The console may report refused requests: these tests provoke them. */
  const refused = /status of 4\d\d/u;

  it('open the account’s menu below its button', async () => {
    for (const look of twice) {
      const context = await openContext(browser, look, { url: at('/'), as: ada });
      try {
        const page = await context.newPage();
        await page.goto(at('/'));
        const button = page.getByRole('button', { name: '@ada' });
        await button.click();
        const menu = await page.locator('#account-menu').boundingBox();
        const above = await button.boundingBox();
        assert.ok(menu && above);
        assert.ok(menu.y >= above.y + above.height, look.device);
        const rightEdges = [menu.x + menu.width, above.x + above.width];
        assert.ok(Math.abs((rightEdges[0] ?? 0) - (rightEdges[1] ?? 0)) < 60, `${look.device} ${rightEdges}`);
      } finally {
        await context.close();
      }
    }
  });

  it('look right: sign-in, before and after a wrong password', async () => {
    await walk(browser, { name: 'sign-in', url: at('/sign-in?next=/device') });
    await walk(browser, {
      name: 'sign-in-wrong',
      looks: twice,
      url: at('/sign-in?done=reset'),
      mayComplain: refused,
      until: async (page) => {
        await page.getByLabel('E-mail address').fill('ada@example.org');
        await page.getByLabel('Password', { exact: true }).fill('not it');
        await press(page, 'Sign in');
        await page.getByText('The e-mail address or the password is wrong.').waitFor();
      },
    });
  });

  it('look right: sign-up, before and after errors', async () => {
    await walk(browser, { name: 'sign-up', url: at('/sign-up') });
    await walk(browser, {
      name: 'sign-up-wrong',
      looks: twice,
      url: at('/sign-up'),
      mayComplain: refused,
      until: async (page) => {
        await page.getByLabel('Your name').fill('Ada');
        await page.getByLabel('E-mail address').fill('no address');
        await page.getByLabel('Password', { exact: true }).fill('short');
        await page.getByText('3 more characters.').waitFor();
        await press(page, 'Make the account');
        await page.getByText('Write a whole e-mail address, such as ada@example.org.').waitFor();
      },
    });
  });

  it('look right: the password reset, its message, and the new password', async () => {
    await walk(browser, { name: 'reset', url: at('/reset') });
    await walk(browser, {
      name: 'reset-sent',
      looks: twice,
      url: at('/reset'),
      until: async (page) => {
        // Each look uses another address, because one address gets only a few mails an hour.
        await page.getByLabel('E-mail address').fill(`nobody-${Math.random()}@example.org`);
        await press(page, 'Send the link');
        await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
      },
    });
    await walk(browser, { name: 'new-password', url: at('/reset/new?token=x') });
    await walk(browser, {
      name: 'new-password-late',
      looks: twice,
      url: at('/reset/new?token=x'),
      mayComplain: refused,
      until: async (page) => {
        await page.getByLabel('New password').fill('a long password');
        await press(page, 'Change the password');
        await page.getByText('The link is wrong, used or too old').waitFor();
      },
    });
  });

  it('look right: the code of a device, the request, and its results', async () => {
    await walk(browser, { name: 'device', url: at('/device'), as: ada });
    await walk(browser, {
      name: 'device-wrong',
      looks: twice,
      url: at('/device?user_code=BBBB-BBBB'),
      as: newcomer,
      mayComplain: refused,
      until: (page) => page.getByRole('alert').waitFor(),
    });
    const near = await startLogin(service, 'spaceport on a laptop');
    await walk(browser, { name: 'device-asked', url: near.verification_uri_complete, as: ada });
    const far = await startLogin(service, '<b>Game of the year</b>, which is not what it says that it is');
    await service.service.platform.database.db
      .updateTable('device_logins')
      .set({ address: '2001:db8:85a3::8a2e:370:7334' })
      .where('user_code', '=', far.user_code.replace('-', ''))
      .execute();
    const withoutHandle = await signUp(service, { name: 'Nora' });
    await walk(browser, {
      name: 'device-far',
      looks: twice,
      url: far.verification_uri_complete,
      as: withoutHandle,
    });
    for (const [name, answer, title] of [
      ['device-done', /^Yes/u, 'Done'],
      ['device-refused', /^No/u, 'Refused'],
    ] as const) {
      await walk(browser, {
        name,
        looks: twice,
        url: at('/device'),
        as: ada,
        until: async (page) => {
          const login = await startLogin(service, 'spaceport on a laptop');
          await page.getByLabel('Code').fill(login.user_code.toLowerCase());
          await press(page, 'Continue');
          await press(page, answer);
          await page.getByRole('heading', { name: title }).waitFor();
        },
      });
    }
  });

  it('look right: the claim token, the page that it claims, and the result', async () => {
    await walk(browser, { name: 'claim', url: at('/claim') });
    const token = await publishUnlisted(service);
    const there = (page: Page) => page.getByText('in 7 days').waitFor();
    await walk(browser, { name: 'claim-visitor', looks: twice, url: at(`/claim#${token}`), until: there });
    await walk(browser, { name: 'claim-page', url: at(`/claim#${token}`), as: ada, until: there });
    await walk(browser, {
      name: 'claim-wrong',
      looks: twice,
      url: at('/claim#sp_claim_wrong'),
      mayComplain: refused,
      until: (page) => page.getByRole('alert').waitFor(),
    });
    await walk(browser, {
      name: 'claim-handle',
      looks: twice,
      url: at(`/claim#${token}`),
      as: newcomer,
      until: async (page) => {
        await there(page);
        await press(page, 'Claim the page');
        await page.getByRole('dialog').waitFor();
      },
    });
    await walk(browser, {
      name: 'claim-done',
      looks: twice,
      url: at('/claim'),
      as: ada,
      until: async (page) => {
        await page.getByLabel('Claim token').fill(at(`/claim#${await publishUnlisted(service)}`));
        await press(page, 'Continue');
        await there(page);
        await press(page, 'Claim the page');
        await page.getByText('is now in your account').waitFor();
      },
    });
  });

  it('look right: the settings of a new account and of an older one', async () => {
    await walk(browser, { name: 'settings-new', looks: twice, url: at('/settings'), as: newcomer });
    await walk(browser, { name: 'settings', url: at('/settings'), as: ada });
    await walk(browser, {
      name: 'settings-open',
      url: at('/settings'),
      as: ada,
      mayComplain: refused,
      until: async (page) => {
        for (const [row, field] of [
          ['Name', 'Name'],
          ['E-mail', 'New e-mail address'],
          ['Password', 'Current password'],
        ] as const) {
          await page.locator('summary').filter({ hasText: row }).click();
          // The row gives its field the focus when the browser says that it is open, which may be later.
          await page.getByLabel(field, { exact: true }).and(page.locator(':focus')).waitFor();
        }
        await page.getByLabel('Name', { exact: true }).fill(' ');
        await press(page, 'Save the name');
        await page.getByText('Write a name of 1 to 60 characters.').waitFor();
      },
    });
    await walk(browser, {
      name: 'settings-revoke',
      looks: twice,
      url: at('/settings'),
      as: ada,
      until: async (page) => {
        await press(page, 'Revoke spaceport on a laptop');
        await page.getByRole('dialog').waitFor();
      },
    });
  });
});
