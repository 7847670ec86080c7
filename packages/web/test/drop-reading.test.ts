import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { openContext } from './walk.ts';

describe('reading what is dropped', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-drop-'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const url = () => `${service.baseUrl}/drop`;

  it('says which file was changed after it was chosen', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    writeFileSync(join(folder, 'index.html'), '<title>Changing</title>');
    writeFileSync(join(folder, 'mine.txt'), 'first');
    await page.locator('input[data-kind=folder]').setInputFiles(folder);
    await page.getByText('All files will be sent').waitFor();
    writeFileSync(join(folder, 'mine.txt'), 'second, and longer');
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByText('mine.txt changed while it was being published').waitFor();
    await context.close();
  });

  /** Returns a zip with a page of this title, as it is dragged. */
  async function transferOf(page: Page, title: string) {
    const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    await writer.add('index.html', new TextReader(`<title>${title}</title>`));
    const bytes = [...new Uint8Array(await (await writer.close()).arrayBuffer())];
    return page.evaluateHandle(
      ([name, list]) => {
        const made = new DataTransfer();
        made.items.add(new File([new Uint8Array(list)], name));
        return made;
      },
      [`${title}.zip`, bytes] as const,
    );
  }

  it('accepts a folder that is dropped anywhere on the page', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    const transfer = await transferOf(page, 'Dragged');
    await page.dispatchEvent('.drop-zone', 'dragenter', { dataTransfer: transfer });
    await page.getByText('Let go to take it').waitFor();
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: transfer });
    await page.getByText('1 file').first().waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Dragged');
    await context.close();
  });

  it('takes the last of two that are dropped, although the first is read later', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const { postMessage, terminate } = Worker.prototype;
      const names = new Map<Worker, string>();
      Worker.prototype.postMessage = function (this: Worker, asked: { zip?: File }) {
        const send = () => postMessage.call(this, asked);
        if (asked.zip) names.set(this, asked.zip.name);
        if (asked.zip?.name === 'Slow.zip') addEventListener('read-now', send);
        else send();
      };
      Worker.prototype.terminate = function (this: Worker) {
        terminate.call(this);
        document.documentElement.dataset.closed = names.get(this) ?? '';
      };
    });
    await page.goto(url());
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: await transferOf(page, 'Slow') });
    await page.getByText('Looking through it').waitFor();
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: await transferOf(page, 'Fast') });
    await page.getByLabel('Title').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('read-now')));
    const root = page.locator('html[data-closed]');
    await root.waitFor();
    assert.equal(await root.getAttribute('data-closed'), 'Slow.zip');
    assert.equal(await page.getByLabel('Title').inputValue(), 'Fast');
    await context.close();
  });
});
