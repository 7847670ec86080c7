import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type PageServer, startPages } from '../../server/test/pages.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { takenOver, usePage } from './walk.ts';

describe('the target of a dropped folder', () => {
  let pages: PageServer;
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let creator: Persona;
  let viewer: SignedUp;
  before(async () => {
    pages = await startPages();
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000', FETCH_ALLOW: pages.address } }),
      openBrowser(),
    ]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'dropper'));
    folder = mkdtempSync(join(tmpdir(), 'spaceport-target-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Next</title>');
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await pages?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const using = (path: string, work: Parameters<typeof usePage>[2]) =>
    usePage(browser, { url: service.baseUrl + path, as: viewer, timeoutMs: 8_000 }, work);

  /** Goes from the dashboard of a space to dropping a folder, which has to name that space. */
  async function dropInstead(page: Page, slug: string): Promise<void> {
    await page.getByRole('link', { name: 'Drop files here instead' }).click();
    await page.waitForURL('**/drop?*');
    await takenOver(page);
    await page.locator('input[data-kind=folder]').setInputFiles(folder);
    const where = page.getByLabel('Where');
    await where.waitFor();
    assert.equal(await where.inputValue(), `space:${slug}`);
  }

  it('is the space from whose versions somebody came', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    await publishLive(service, creator);
    await using(`/dashboard/${slug}`, async (page) => {
      await dropInstead(page, slug);
    });
  });

  it('is also a space that runs elsewhere, if somebody came from it', async () => {
    const url = pages.put('/elsewhere', '<meta name="service-owner" content="dropper">');
    const fields = { title: 'Elsewhere', space_type: 'game', devices: ['desktop'] } as const;
    const { slug } = await creator.client.listSpace({ body: { url, ...fields, devices: ['desktop'] } });
    await using(`/dashboard/${slug}`, async (page) => {
      await dropInstead(page, slug);
      await page.getByRole('button', { name: 'Publish a preview' }).click();
      await page.getByRole('heading', { name: 'Elsewhere is ready to try' }).waitFor();
    });
  });

  it('is not published without a title, and the focus goes to where one is missing', () =>
    using('/drop', async (page) => {
      await page.locator('input[data-kind=folder]').setInputFiles(folder);
      const title = page.getByLabel('Title');
      await title.fill('');
      await page.getByRole('button', { name: 'Publish a preview' }).click();
      await page.getByText('Give it a title').waitFor();
      await page.waitForFunction((one) => one === document.activeElement, await title.elementHandle());
    }));

  it('goes live once, however often the button is pressed', () =>
    using('/drop', async (page) => {
      const created: string[] = [];
      page.on('response', (answer) => {
        const { pathname } = new URL(answer.url());
        if (pathname === '/api/v1/hosting/versions' && answer.status() === 201) created.push(pathname);
      });
      await page.locator('input[data-kind=folder]').setInputFiles(folder);
      await page.getByRole('button', { name: 'Publish a preview' }).click();
      await page.getByRole('button', { name: 'Go live' }).dblclick();
      await page.getByText('It is live.').waitFor({ timeout: 30_000 });
      assert.equal(created.length, 2, 'the preview, and one live version');
    }));
});
