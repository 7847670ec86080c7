import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { findingsOf } from './axe.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { keepPicture, looks, openContext, press, takenOver } from './walk.ts';

/** Text that must not reach a user: words of the validator, and paths in a body. */
const validator =
  /Invalid|expected (?:one of|string|number)|must (?:name|start with|match)|\b(?:boards|stats|achievements|fields)\.\w|\.\d\.|null|undefined|«/iu;

describe('a form with invalid values', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const made = await creatorWithBrowser(service, 'mira');
    viewer = made.viewer;
    slug = (await publishLive(service, made.creator)).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page, does something wrong, and checks that each of the fields says what belongs in it. */
  async function refused(
    name: string,
    path: string,
    work: (page: Page) => Promise<unknown>,
    fields: Readonly<Record<string, RegExp>>,
    within: (page: Page) => Locator = (page) => page.getByRole('dialog'),
  ) {
    const url = `${service.baseUrl}${path}`;
    const context = await openContext(browser, undefined, { url, as: viewer });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(url);
      await takenOver(page);
      await work(page);
      const form = within(page);
      await form.locator('.error').first().waitFor();
      assert.deepEqual(await findingsOf(page), []);
      const [look] = looks;
      if (look) await keepPicture(page, `form-${name}`, look);
      for (const [label, sentence] of Object.entries(fields)) {
        const field = form
          .locator('.field', { hasText: label })
          .filter({ has: page.locator('.error') })
          .first();
        assert.match((await field.locator('.error').first().textContent()) ?? '', sentence, label);
      }
      const said = await form.locator('.error, .notice, [role=alert]').allTextContents();
      for (const text of said) {
        assert.doesNotMatch(text, validator);
        assert.doesNotMatch(text, /\.\./u);
      }
    } finally {
      await context.close();
    }
  }

  it('explains the fields of listing a page', () =>
    refused(
      'list',
      '/dashboard',
      async (page) => {
        await page.getByRole('button', { name: 'List a page' }).click();
        await page.getByRole('dialog').getByLabel('Address').fill('my game');
        await press(page, 'List it');
      },
      {
        Address: /whole address/u,
        Title: /1 to 80 characters/u,
        Type: /Choose what it is/u,
        'Made for': /Choose at least one device/u,
      },
    ));

  it('explains the fields of a board', () =>
    refused(
      'board',
      `/dashboard/${slug}?section=boards`,
      async (page) => {
        await press(page, 'Add a board');
        await page.getByRole('dialog').getByLabel('Key').fill('High Scores');
        await page.getByRole('dialog').getByLabel('Decimals').fill('12');
        await page.getByRole('dialog').getByLabel('All time').uncheck();
        await press(page, 'Add it');
      },
      {
        Key: /Start with a small letter/u,
        Decimals: /whole number from 0 to 6/u,
        Rankings: /at least one ranking/u,
      },
    ));

  it('leads to the first box of a choice that was refused, where its problem is said', () =>
    refused(
      'rankings',
      `/dashboard/${slug}?section=boards`,
      async (page) => {
        await press(page, 'Add a board');
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Key').fill('rings');
        await dialog.getByLabel('All time').uncheck();
        await press(page, 'Add it');
        await page.waitForFunction(() => document.activeElement?.matches('[name="periods"]'));
        const group = dialog.getByRole('group', { name: 'Rankings' });
        const described = (await group.getAttribute('aria-describedby'))?.split(' ')[0] ?? '';
        assert.match((await page.locator(`[id="${described}"]`).textContent()) ?? '', /at least one/u);
        assert.equal(await group.getByLabel('All time').getAttribute('aria-invalid'), 'true');
      },
      { Rankings: /at least one ranking/u },
    ));

  it('explains the fields of a stat', () =>
    refused(
      'stat',
      `/dashboard/${slug}?section=boards`,
      async (page) => {
        await press(page, 'Add a stat');
        await press(page, 'Add it');
      },
      { Key: /Start with a small letter/u },
    ));

  it('explains the fields of an achievement', () =>
    refused(
      'achievement',
      `/dashboard/${slug}?section=boards`,
      async (page) => {
        await press(page, 'Add an achievement');
        await page.getByRole('dialog').getByLabel('Key').fill('1st');
        await page.getByRole('dialog').getByLabel('Icon').fill('http://icons.example/a.png');
        await page.getByRole('dialog').getByLabel('Points').fill('5000');
        await press(page, 'Add it');
      },
      { Key: /Start with a small letter/u, Icon: /starts with https,/u, Points: /0 to 1,000/u },
    ));

  it('explains the fields of a space’s page', () =>
    refused(
      'page',
      `/dashboard/${slug}?section=page`,
      async (page) => {
        await page.getByLabel('Title').fill('');
        await page.getByLabel('Source code').fill('not an address');
        await press(page, 'Add a link');
        await page.getByLabel('Label').fill('Devlog');
        await press(page, 'Save');
      },
      { Title: /1 to 80 characters/u, 'Source code': /whole address/u, Address: /whole address/u },
      (page) => page.locator('main'),
    ));

  it('explains the name of an account', () =>
    refused(
      'name',
      '/settings',
      async (page) => {
        await page.locator('summary', { hasText: 'Name' }).click();
        await page.getByLabel('Name').fill(' ');
        await press(page, 'Save the name');
      },
      { Name: /1 to 60 characters/u },
      (page) => page.locator('main'),
    ));
});
