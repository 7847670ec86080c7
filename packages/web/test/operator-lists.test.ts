import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { usePage } from './walk.ts';

describe('the lists of the operator’s page', () => {
  let service: TestService;
  let browser: Browser;
  let operator: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    // The first account of an installation is its operator.
    operator = await signUp(service, { handle: 'keeper', name: 'Kit' });
    await signUp(service, { handle: 'maker', name: 'Mira' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const using = (view: string, work: (page: Page) => Promise<void>, mayComplain?: RegExp) =>
    usePage(
      browser,
      { url: `${service.baseUrl}/operator?view=${view}`, as: operator, timeoutMs: 8_000, mayComplain },
      work,
    );

  it('are searched for one word after the other without leaving the field', () =>
    using('accounts', async (page) => {
      const field = page.getByRole('searchbox');
      await field.fill('maker');
      await field.press('Enter');
      await page.waitForURL(/account=maker/u);
      await page.getByRole('cell', { name: '@keeper' }).waitFor({ state: 'detached' });
      for (let letters = 0; letters < 5; letters++) await page.keyboard.press('Backspace');
      await page.getByRole('cell', { name: '@keeper' }).waitFor();
      await page.keyboard.type('keep');
      assert.equal(await field.inputValue(), 'keep');
      await page.keyboard.press('Enter');
      await page.getByRole('cell', { name: '@maker' }).waitFor({ state: 'detached' });
      await page.goBack();
      await page.goBack();
      await page.waitForURL(/account=maker/u);
      await page.waitForFunction(() => document.querySelector('input')?.value === 'maker');
    }));

  it('say that a search has failed, and can try it again', () =>
    using(
      'accounts',
      async (page) => {
        const isSearch = (url: URL) => url.searchParams.has('q');
        await page.route(isSearch, (route) => route.fulfill({ status: 500, json: { error: 'failed' } }));
        await page.getByRole('searchbox').fill('maker');
        await page.keyboard.press('Enter');
        const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' });
        await failure.waitFor();
        await page.unroute(isSearch);
        await failure.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('cell', { name: '@keeper' }).waitFor({ state: 'detached' });
        await failure.waitFor({ state: 'detached' });
      },
      /status of 500/u,
    ));

  it('are searched each for its own words, which they keep', () =>
    using('spaces', async (page) => {
      const field = page.getByRole('searchbox');
      const open = (name: string) => page.getByRole('tab', { name }).click();
      await field.fill('moth');
      await field.press('Enter');
      await page.getByText('No such space').waitFor();
      await open('Accounts');
      await page.getByRole('cell', { name: '@keeper' }).waitFor();
      await page.getByRole('cell', { name: '@maker' }).waitFor();
      assert.equal(await field.inputValue(), '');
      await open('Spaces');
      await page.getByText('No such space').waitFor();
      assert.equal(await field.inputValue(), 'moth');
    }));

  it('show the health of a service that answers more slowly than they look', () =>
    using('reports', async (page) => {
      // What the page reads at its beginning is none of the looks that are counted.
      await page.waitForFunction(() => {
        const read = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
        return ['/api/operator/health', '/api/operator/reports'].every((path) => read.includes(path));
      });
      await page.clock.install();
      const asked: string[] = [];
      const ended: string[] = [];
      page.on('requestfailed', (request) => ended.push(request.url()));
      const answer = Promise.withResolvers<void>();
      await page.route('**/api/operator/health', async (route) => {
        asked.push(route.request().url());
        await answer.promise;
        await route.continue();
      });
      await page.getByRole('tab', { name: 'Health' }).click();
      await page.waitForFunction(() => document.querySelector('.skeleton'));
      await page.clock.runFor(25_000);
      answer.resolve();
      await page.getByText('File store', { exact: true }).first().waitFor();
      assert.deepEqual(ended, []);
      assert.equal(asked.length, 1);
      // The ten seconds begin when the page has drawn the answer, which may be after the first of these.
      const again = page.waitForResponse('**/api/operator/health').then(() => true);
      while (!(await Promise.race([again, page.clock.runFor(1_000).then(() => false)])));
    }));
});
