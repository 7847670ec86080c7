import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { fileEntries, smallGame } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { game } from './seed.ts';
import { openContext, walk } from './walk.ts';

const gameFiles = Object.fromEntries(Object.entries(game).map(([path, text]) => [path, String(text)]));

describe('dropping a folder', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let creator: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-drop-'));
    creator = await signUp(service, { handle: 'dropper', name: 'Dora' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const url = () => `${service.baseUrl}/drop`;

  function write(name: string, files: Record<string, string>): string {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return join(folder, name);
  }

  const chooseFolder = (page: Page, path: string) =>
    page.locator('input[data-kind=folder]').setInputFiles(path);

  async function zipOf(files: Record<string, string>): Promise<Buffer> {
    const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text));
    return Buffer.from(await (await writer.close()).arrayBuffer());
  }

  it('looks right before anything is dropped', () => walk(browser, { name: 'drop', url: url() }));

  it('looks right with a folder that can be published, and one that cannot', async () => {
    const good = write('moon-hopper', { ...gameFiles, '.env': 'KEY=1', 'node_modules/a/b.js': '1' });
    await walk(browser, {
      name: 'drop-chosen',
      url: url(),
      as: creator,
      until: async (page) => {
        await chooseFolder(page, good);
        await page.getByText('All files will be sent').waitFor();
        await page.getByText('Left out: 2 things').click();
      },
    });
    const bad = write('my-project', {
      'package.json': '{"name":"my-project"}',
      'dist/index.html': '<title>Built</title>',
      'src/main.ts': '1',
    });
    await walk(browser, {
      name: 'drop-elsewhere',
      url: url(),
      until: async (page) => {
        await chooseFolder(page, bad);
        await page.getByRole('button', { name: 'Publish dist instead' }).waitFor();
      },
    });
  });

  it('publishes without an account, remembers the page in this browser, and updates it by the next drop', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    const path = write('tide-keeper', { ...gameFiles, '.env': 'KEY=1' });
    await chooseFolder(page, path);
    await page.getByLabel('Title').fill('Tide Keeper');
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByRole('heading', { name: 'Tide Keeper is ready to try' }).waitFor();
    await page.frameLocator('iframe').locator('canvas').waitFor();
    const address = await page.getByLabel('Address of the page').inputValue();
    assert.match(address, /\/s\/[a-z0-9]{26}$/u);
    const claimLink = await page.getByLabel('Claim link').inputValue();
    assert.match(claimLink, /\/claim#sp_claim_/u);

    write('tide-keeper', { 'index.html': '<!doctype html><title>2</title><h1 id="second">Second</h1>' });
    await page.reload();
    await page.getByRole('link', { name: 'Claim Tide Keeper' }).waitFor();
    await chooseFolder(page, path);
    assert.match(await page.getByLabel('Where').locator('option:checked').innerText(), /^Tide Keeper/u);
    await page.getByText('0 added, 1 changed and 0 removed').waitFor();
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.frameLocator('iframe').locator('#second').waitFor();
    assert.equal(await page.getByLabel('Address of the page').inputValue(), address, 'the same page');
    await context.close();
  });

  it('tells spaces of one title apart by their slugs', async () => {
    for (let made = 0; made < 2; made++) {
      const fields = { title: 'Twin', space_type: 'game', devices: ['desktop'] };
      const files = fileEntries(smallGame);
      const answer = await creator.call('POST', '/api/v1/hosting/versions', { fields, files });
      assert.equal(answer.status, 201, answer.text());
    }
    const context = await openContext(browser, undefined, { url: url(), as: creator });
    const page = await context.newPage();
    await page.goto(url());
    await chooseFolder(page, write('twin', gameFiles));
    const where = page.getByLabel('Where');
    await where.waitFor();
    const labels = await where.locator('option').allInnerTexts();
    const twins = labels.filter((label) => label.startsWith('Twin'));
    assert.equal(new Set(twins).size, 2);
    for (const label of twins) assert.match(label, /^Twin \(twin[\w-]*\)$/u);
    await context.close();
  });

  it('asks for a zip where there are no folders', async () => {
    const context = await openContext(browser, { device: 'phone', scheme: 'light' }, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    await page.getByText('Choose a zip of your folder').waitFor();
    assert.ok(!(await page.getByText('Drop a folder or a zip here').isVisible()));
    await context.close();
  });

  it('publishes a zip to a space of the account, and makes it live', async () => {
    const context = await openContext(browser, undefined, { url: url(), as: creator });
    const page = await context.newPage();
    await page.goto(url());
    const buffer = await zipOf({
      'zipped/index.html': '<!doctype html><title>Zipped</title><h1 id="zipped">Zipped</h1>',
      'zipped/service.json': '{"title":"From A Zip","space_type":"toy","devices":["mobile"]}',
      '__MACOSX/zipped/._index.html': 'x',
    });
    const zip = { name: 'zipped.zip', mimeType: 'application/zip', buffer };
    await page.locator('input[data-kind=zip]').setInputFiles(zip);
    assert.equal(await page.getByLabel('Title').inputValue(), 'From A Zip');
    assert.equal(await page.getByLabel('Type').inputValue(), 'toy');
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.frameLocator('iframe').locator('#zipped').waitFor();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByText('It is live.').waitFor();
    await page.getByRole('link', { name: 'Go to its page' }).click();
    await page.waitForURL(/\/s\/from-a-zip$/u);
    // The game was made for phones, and this browser is a desktop.
    await page.getByRole('button', { name: 'Play anyway' }).click();
    await page.frameLocator('iframe').locator('#zipped').waitFor();

    // Publishes the next version of the space, live at once. No file has to be sent again.
    await page.goto(url());
    await page.locator('input[data-kind=zip]').setInputFiles(zip);
    await page.getByLabel('Where').selectOption('From A Zip');
    await page.getByText('Nothing has to be sent').waitFor();
    await page.getByRole('button', { name: 'Publish live' }).click();
    await page.getByText('It is live.').waitFor();
    await context.close();
  });

  it('asks an account without a handle to choose one, and continues', async () => {
    const newcomer = await signUp(service);
    const context = await openContext(browser, undefined, { url: url(), as: newcomer });
    const page = await context.newPage();
    await page.goto(url());
    await chooseFolder(page, write('first', gameFiles));
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Handle').fill('dropper');
    await dialog.getByText('It is taken.').waitFor();
    await dialog.getByLabel('Handle').fill('newcomer_1');
    await dialog.getByText('@newcomer_1 is free').waitFor();
    await dialog.getByRole('button', { name: 'Choose it and continue' }).click();
    await page.frameLocator('iframe').locator('canvas').waitFor();
    await context.close();
  });

  it('uploads 250 files, stops, and resumes where it stopped', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 248 }, (_, at) => [`tiles/${at % 40}/${at}.json`, `{"tile":${at}}`]),
    );
    const context = await openContext(browser, undefined, { url: url(), as: creator });
    const page = await context.newPage();
    await page.goto(url());
    // The service gets the last ones later, or all might be sent before somebody presses the button.
    const resumed = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(
      (address) => address.pathname.includes('/files/'),
      async (route) => {
        sent += 1;
        if (sent > 100) await resumed.promise;
        // Stopping ends the requests that wait.
        await route.continue().catch(() => {});
      },
    );
    await chooseFolder(page, write('many', { ...gameFiles, ...many }));
    await page.getByText('250 files').waitFor();
    await page.getByLabel('Title').fill('Many files');
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByText(/^[1-9]\d* of 250 files$/u).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The service keeps what has arrived').waitFor();
    resumed.resolve();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'Many files is ready to try' }).waitFor({ timeout: 90_000 });
    await context.close();
  });

  it('goes on by itself when the line is back', async () => {
    const context = await openContext(browser, undefined, { url: url(), as: creator });
    const page = await context.newPage();
    await page.goto(url());
    await chooseFolder(page, write('far-away', { ...gameFiles, 'far.txt': 'away' }));
    const title = await page.getByLabel('Title').inputValue();
    let isLost = false;
    // It goes on catching requests: one that is sent while the browser stops that may hang for ever.
    await page.route(
      (address) => address.pathname.includes('/files/'),
      async (route) => {
        if (isLost) return route.continue();
        isLost = true;
        await context.setOffline(true);
        await route.abort('internetdisconnected');
      },
    );
    await page.getByRole('button', { name: 'Publish a preview' }).click();
    await page.getByText('The line is gone; it goes on by itself').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: `${title} is ready to try` }).waitFor();
    await context.close();
  });

  it('says what is wrong, in which files, and what to do', async () => {
    const context = await openContext(browser, undefined, { url: url() });
    const page = await context.newPage();
    await page.goto(url());
    const zip = (buffer: Buffer) => ({ name: 'bad.zip', mimeType: 'application/zip', buffer });
    await page.locator('input[data-kind=zip]').setInputFiles(zip(Buffer.from('not a zip')));
    await page.getByText('bad.zip cannot be read as a zip').waitFor();
    // Browsers report no change if the same file is chosen again, so none is left in the field.
    assert.equal(await page.locator('input[data-kind=zip]').inputValue(), '');
    await page.locator('input[data-kind=zip]').setInputFiles(zip(await zipOf({ 'readme.txt': 'hello' })));
    await page.getByText('There is no index.html at the top').waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();
    const named = { 'index.html': '1', 'service.json': '{"titel":"Moon"}', 'con.txt': 'x' };
    await page.locator('input[data-kind=zip]').setInputFiles(zip(await zipOf(named)));
    await page.getByText('con.txt is a Windows device name.').waitFor();
    await page.getByText('service.json has no field titel.').waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();
    // The declarations are refused before any file is sent.
    const badBoards = { 'index.html': '1', 'service.json': '{"boards":[{"key":"No Good"}]}' };
    await page.locator('input[data-kind=zip]').setInputFiles(zip(await zipOf(badBoards)));
    await page.getByText('Key of board 1: Start with a small letter from a to z').waitFor();
    await page.getByText('Correct service.json, then drop the folder again.').waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();
    await context.route('**/zip-archive*', (route) => route.abort());
    await page.locator('input[data-kind=zip]').setInputFiles(zip(await zipOf(named)));
    await page.getByText('The part of this page that reads zips could not be loaded.').waitFor();
    await context.close();
  });
});
