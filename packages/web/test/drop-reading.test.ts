import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { openContext, takenOver } from './walk.ts';

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

  /** Returns the bytes of a zip with a page of this title. */
  async function zipOf(title: string): Promise<Uint8Array> {
    const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    await writer.add('index.html', new TextReader(`<title>${title}</title>`));
    return new Uint8Array(await (await writer.close()).arrayBuffer());
  }

  /** Returns a zip with a page of this title, as it is dragged. */
  async function transferOf(page: Page, title: string) {
    const bytes = [...(await zipOf(title))];
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

  it('gives the heading the focus together with the form, so that it is taken from no field', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    const focused = page.evaluate(
      () =>
        new Promise<string | undefined>((resolve) => {
          new MutationObserver(() => {
            if (document.querySelector('form')) resolve(document.activeElement?.localName);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: await transferOf(page, 'Moon') });
    assert.equal(await focused, 'h1');
    await context.close();
  });

  it('takes another one that is dropped once the first is read, and none while one is published', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    const drag = async (event: string, title: string) =>
      page.dispatchEvent('h1', event, { dataTransfer: await transferOf(page, title) });
    await drag('drop', 'Wrong');
    await page.getByText('Wrong', { exact: true }).waitFor();
    await drag('dragenter', 'Right');
    await page.getByText('Let go to take this instead').waitFor();
    await drag('drop', 'Right');
    await page.getByText('Right', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Right');

    const asked = Promise.withResolvers<void>();
    await page.route('**/api/v1/hosting/versions', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    // What is not prevented, the browser does: it opens the files in place of the page.
    const prevented = await page.evaluate(
      ([transfer]) =>
        ['dragenter', 'dragover', 'drop'].map(
          (name) =>
            !document.body.dispatchEvent(
              new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: transfer }),
            ),
        ),
      [await transferOf(page, 'Late')],
    );
    assert.deepEqual(prevented, [true, true, true]);
    asked.resolve();
    await page.getByRole('heading', { name: 'Right is ready to try' }).waitFor();
    await context.close();
  });

  it('stops and goes on while the files are still read', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, asked: { ask: string }) {
        const send = () => postMessage.call(this, asked);
        if (asked.ask === 'hash') addEventListener('read-now', send);
        else send();
      };
    });
    await page.goto(url());
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: await transferOf(page, 'Large') });
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('read-now')));
    await page.getByRole('heading', { name: 'Large is ready to try' }).waitFor();
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

  it('keeps the focus: on the button while files are read, then on the heading of what is shown', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (this: Worker, asked: { ask: string }) {
        const send = () => postMessage.call(this, asked);
        if (asked.ask === 'open') addEventListener('read-now', send, { once: true });
        else send();
      };
    });
    await page.goto(url());
    await takenOver(page);
    const untilFocused = (text: string) =>
      page.waitForFunction((expected) => document.activeElement?.textContent === expected, text);
    const choose = async (name: string, title: string | null) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a zip' }).press('Enter');
      const zip = title === null ? Buffer.from('no zip') : Buffer.from(await zipOf(title));
      await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer: zip });
      await page.getByText('Looking through it').waitFor();
      await untilFocused('Choose a zip');
      await page.evaluate(() => dispatchEvent(new Event('read-now')));
    };
    await choose('damaged.zip', null);
    await page.getByRole('alert').waitFor();
    await untilFocused('Choose a zip');
    await choose('moon.zip', 'Moon');
    await untilFocused('Ready to publish');
    await page.getByRole('button', { name: 'Choose another' }).press('Enter');
    await untilFocused('Publish a folder');
    await context.close();
  });
});
