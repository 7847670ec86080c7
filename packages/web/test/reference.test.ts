import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '@spaceport/contract/operations';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { findingsOf } from './axe.ts';
import { listen, looks, openContext, walk } from './walk.ts';

/** From the third on, the operations of a group look alike. Axe would take a minute for all of them. */
const alike = '.operation:nth-of-type(n + 3)';

describe('the API reference', () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    url = `${service.baseUrl}/docs/api`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  // Each look loads the page, because parts that are out of sight keep their old colours until they are seen.
  for (const look of looks)
    it(`looks right on a ${look.device}, ${look.scheme}`, () =>
      walk(browser, { name: 'api', url, looks: [look], exceptFor: alike }));

  it('lists every operation, and has no dead link', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(url);
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href')?.slice(1) ?? ''))]);
    const ids = new Set(await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id)));
    assert.deepEqual(
      links.filter((id) => !ids.has(id)),
      [],
    );
    assert.deepEqual(
      operations.map(({ id }) => id).filter((id) => !links.includes(id) || !ids.has(id)),
      [],
    );
    await page.close();
  });

  it('finds an operation by what it does, and goes to it by keyboard', async () => {
    const context = await openContext(browser, undefined, { url });
    const page = await context.newPage();
    const complaints = listen(page);
    await page.goto(url);
    await page.keyboard.press('/');
    await page.keyboard.type('roll back');
    const shown = page.locator('[data-find]').filter({ visible: true });
    await page.getByText('1 operation', { exact: true }).waitFor({ state: 'attached' });
    assert.match((await shown.allTextContents()).join(), /rollback/u);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#rollback$/u);
    await page.locator('#rollback > h3').waitFor();
    assert.deepEqual(await findingsOf(page, { exceptFor: alike }), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('says the same to coding agents in plain text, without dead links', async () => {
    const guide = await service.get(`${service.baseUrl}/llms.txt`);
    assert.equal(guide.headers['content-type'], 'text/plain; charset=utf-8');
    const text = guide.text();
    assert.match(text, /^# Spaceport\n\n> /u);
    const named = [...text.matchAll(/\((?:https?:\/\/[^/]+)(\/[^)]*)\)/gu)].map(([, path]) => path ?? '');
    assert.ok(named.length >= 3, text);
    for (const path of named) assert.equal((await service.get(service.baseUrl + path)).status, 200, path);
  });
});
