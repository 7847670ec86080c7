import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { startService, type TestService } from './service.ts';

const cli = new URL('../../cli/bin/spaceport.mjs', import.meta.url).pathname;
const password = 'correct horse battery staple';

describe('a newcomer, in a real browser and with the command line', () => {
  let service: TestService;
  let browser: Browser;
  let home: string;
  before(async () => {
    service = await startService();
    browser = await openBrowser();
    home = await mkdtemp(join(tmpdir(), 'spaceport-home-'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await rm(home, { recursive: true, force: true });
  });

  /** Runs the command line as a user does. `onLine` is called with each line that it prints. */
  function spaceport(
    words: string[],
    onLine: (line: string) => void = () => {},
  ): Promise<{ code: number | null; printed: string }> {
    const child = spawn(process.execPath, [cli, ...words], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        XDG_CONFIG_HOME: home,
        SPACEPORT_SERVER: service.baseUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        printed += data.toString();
        for (const line of data.toString().split('\n')) onLine(line);
      });
    }
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, printed })));
  }

  async function signUp(page: Page, handle: string): Promise<void> {
    await page.getByLabel('E-mail').fill(`${handle}@example.org`);
    const name = page.getByLabel('Name');
    if ((await name.count()) > 0) await name.fill(handle);
    await page.getByLabel('Password').first().fill(password);
    await page.locator('form button[type=submit]').click();
    await page.getByLabel('Handle').fill(handle);
    await page.locator('form button[type=submit]').click();
    await page.waitForURL((url) => url.pathname !== '/handle');
  }

  async function gameFolder(title: string): Promise<string> {
    const folder = await mkdtemp(join(home, 'game-'));
    await writeFile(
      join(folder, 'index.html'),
      `<!doctype html><title>${title}</title><h1 id="it">${title}</h1>`,
    );
    await writeFile(
      join(folder, 'service.json'),
      JSON.stringify({ title, space_type: 'game', devices: ['desktop'] }),
    );
    return folder;
  }

  it('signs up, picks a handle, approves the command line, and publishes', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.baseUrl}/sign-up`);
    await signUp(page, 'newcomer');

    const link = Promise.withResolvers<string>();
    const signingIn = spaceport(['login', '--scopes', 'publish,moderate', '--json'], (line) => {
      const found = /http:\/\/localhost:\d+\/device\?user_code=[A-Z-]+/u.exec(line);
      if (found) link.resolve(found[0]);
    });
    void signingIn.then(({ printed }) => link.reject(new Error(`it ended without a link: ${printed}`)));
    await page.goto(await link.promise);
    assert.match((await page.textContent('h1')) ?? '', /Did you start this/u);
    await page.getByRole('checkbox', { name: /^Moderate/u }).uncheck();
    await page.getByRole('button', { name: /^Yes/u }).click();
    await page.getByText('is signed in').waitFor();
    const signedIn = await signingIn;
    assert.equal(signedIn.code, 0, signedIn.printed);
    assert.match(signedIn.printed, /"scopes":\s*\[\s*"publish"\s*\]/u);

    const folder = await gameFolder('First Flight');
    const published = await spaceport(['publish', folder, '--live', '--json']);
    assert.equal(published.code, 0, published.printed);
    await page.goto(`${service.baseUrl}/s/first-flight`);
    const frame = page.frameLocator('iframe');
    assert.equal(await frame.locator('#it').textContent(), 'First Flight');
    await page.close();
  });

  it('publishes without an account, opens the claim link, signs in, and owns the page', async () => {
    const folder = await gameFolder('Found Later');
    const published = await spaceport(['publish', folder, '--anonymous', '--json']);
    assert.equal(published.code, 0, published.printed);
    const kept = JSON.parse(await readFile(join(folder, '.spaceport/claim.json'), 'utf8'));
    const claimToken: string = kept.pages[0].claimToken;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/claim#${claimToken}`);
    await page.getByRole('link', { name: /\/s\/[a-z0-9]{26}$/u }).waitFor();
    assert.ok(!page.url().includes(claimToken), 'the token has left the address');
    await page.getByRole('link', { name: 'Make an account' }).click();
    await signUp(page, 'finder');
    await page.waitForURL('**/claim');
    await page.getByRole('button', { name: 'Claim the page' }).click();
    await page.getByText('is now in your account').waitFor();
    await page.getByRole('link', { name: 'Go to its page' }).click();
    assert.match(page.url(), /\/s\/found-later$/u);
    const { db } = service.service.platform.database;
    const space = await db
      .selectFrom('spaces')
      .innerJoin('creators', 'creators.id', 'spaces.owner_id')
      .select('creators.handle')
      .where('slug', '=', 'found-later')
      .executeTakeFirst();
    assert.equal(space?.handle, 'finder');
    await context.close();
  });
});
