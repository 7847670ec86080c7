import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '@spaceport/client/client';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive, smallGame } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { findingsOf } from './axe.ts';
import { listen, openContext, takenOver } from './walk.ts';

describe('a destructive action in the pages', () => {
  let service: TestService;
  let browser: Browser;
  let viewer: SignedUp;
  let creator: Persona;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    // The first account becomes the operator, and the only operator cannot leave.
    await signUp(service);
    viewer = await signUp(service, { handle: 'mila' });
    const made = await viewer.call('POST', '/api/account/tokens', {
      name: 'test',
      scopes: ['publish'],
    });
    assert.equal(made.status, 201, made.text());
    const { token } = made.json();
    creator = {
      ...service.anonymous,
      handle: 'mila',
      token,
      client: createClient({ baseUrl: service.baseUrl, token, retry: false }),
    };
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function using(path: string, work: (page: Page) => Promise<void>, mayComplain?: RegExp) {
    const url = `${service.baseUrl}${path}`;
    const context = await openContext(browser, undefined, { url, as: viewer });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const complaints = listen(page, mayComplain);
      await page.goto(url);
      await takenOver(page);
      await work(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }
  const statusOf = async (slug: string) =>
    (await service.get(service.service.platform.urls.page(slug))).status;
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = (page: Page) => page.getByRole('dialog');
  async function confirm(page: Page, word: string, action: string) {
    await dialog(page).getByRole('textbox').first().fill(word);
    await dialog(page).getByRole('button', { name: action, exact: true }).click();
  }

  it('takes a space offline and back, deletes it and restores it, after its slug was typed', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    await using(`/dashboard/${slug}?section=page`, async (page) => {
      await press(page, 'Take it offline');
      await confirm(page, 'something else', 'Take it offline');
      await dialog(page).getByText(`Type ${slug}.`, { exact: true }).waitFor();
      assert.deepEqual(await findingsOf(page), []);
      assert.equal(await statusOf(slug), 200);
      await confirm(page, slug, 'Take it offline');
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByText('Offline', { exact: true }).first().waitFor();
      assert.equal(await statusOf(slug), 410);
      await page.getByRole('button', { name: 'Put it online', exact: true }).last().click();
      await page.getByRole('button', { name: 'Take it offline', exact: true }).waitFor();
      assert.equal(await statusOf(slug), 200);
      await press(page, 'Delete this space');
      await confirm(page, slug, 'Delete it');
      await page.waitForURL('**/dashboard');
      assert.equal(await statusOf(slug), 410);
      await takenOver(page);
      await page.getByText(slug).waitFor();
      assert.deepEqual(await findingsOf(page), []);
      await press(page, 'Restore');
      await page.waitForURL(`**/dashboard/${slug}`);
      assert.equal(await statusOf(slug), 200);
    });
  });

  it('deletes a version that is not live', async () => {
    const first = await publishLive(service, creator);
    const { slug } = first.space;
    await publishLive(service, creator, { ...smallGame, 'two.txt': '2' }, { space: slug });
    await using(`/dashboard/${slug}?section=versions`, async (page) => {
      await page.getByRole('button', { name: /^Version 1/u }).click();
      await press(page, 'Delete');
      await dialog(page).getByRole('button', { name: 'Delete it', exact: true }).click();
      await page.locator('.toast', { hasText: 'Version 1 is deleted' }).waitFor();
    });
    const { versions } = await creator.client.listVersions({ params: { slug } });
    assert.deepEqual(
      versions.map(({ number }) => number),
      [2],
    );
  });

  it('deletes the account, after its handle and the password were typed', async () => {
    await using(
      '/settings',
      async (page) => {
        await press(page, 'Delete my account');
        await dialog(page).getByLabel('Password').fill('not my password');
        await confirm(page, 'mila', 'Delete it for good');
        await dialog(page).getByText('It is not your password.').waitFor();
        assert.deepEqual(await findingsOf(page), []);
        await dialog(page).getByLabel('Password').fill(viewer.password);
        await confirm(page, 'mila', 'Delete it for good');
        await page.waitForURL(`${service.baseUrl}/`);
      },
      /status of 4\d\d/u,
    );
    assert.equal((await viewer.call('GET', '/api/account')).json().account, null);
  });
});
