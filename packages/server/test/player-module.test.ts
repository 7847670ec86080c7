import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type Files, publishLive } from './files.ts';
import { startService, type TestService } from './service.ts';

/** Returns the files that docs/players.md shows, the page and its service.json, as a reader copies them. */
async function example(app: string): Promise<Files> {
  const text = await readFile(new URL('../../../docs/players.md', import.meta.url), 'utf8');
  const block = (kind: string) => new RegExp(`\`\`\`${kind}\n([\\s\\S]+?)\`\`\``, 'u').exec(text)?.[1] ?? '';
  return {
    'index.html': block('html').replace('https://spaceport.example', app),
    'service.json': block('json'),
  };
}

/** Returns the three files that docs/engines/javascript.md shows. */
async function plainJavaScript(app: string): Promise<Files> {
  const text = await readFile(new URL('../../../docs/engines/javascript.md', import.meta.url), 'utf8');
  const block = (kind: string) => new RegExp(`\`\`\`${kind}\n([\\s\\S]+?)\`\`\``, 'u').exec(text)?.[1] ?? '';
  return {
    'index.html': block('html').replace('https://spaceport.example', app),
    'game.js': block('js'),
    'service.json': block('json'),
  };
}

describe('the player module in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let files: Files;
  before(async () => {
    service = await startService();
    browser = await openBrowser();
    files = await example(service.baseUrl);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page in a profile of its own. `said` collects the messages of its console. */
  async function open(url: string): Promise<{ page: Page; said: string[] }> {
    const page = await browser.newPage();
    // Some browsers request a favicon from every origin and report a missing one in the console.
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    await page.goto(url);
    return { page, said };
  }

  async function playsTheExample(page: Page): Promise<void> {
    await page.getByText('Round 1', { exact: true }).waitFor();
    for (let taps = 0; taps < 10; taps++) await page.locator('#tap').click();
    await page.locator('#end').click();
    await page.getByText('10 taps, best 10, rank 1. Round 2').waitFor();
    await page.locator('#end').click();
    await page.getByText('0 taps, best 10, rank 1. Round 3').waitFor();
    await page.reload();
    await page.getByText('Round 3', { exact: true }).waitFor();
    const list = await page.evaluate('Spaceport.achievements.list()');
    assert.deepEqual(
      (list as { key: string; unlockedAt: string | null }[]).map(({ key, unlockedAt }) => [
        key,
        unlockedAt !== null,
      ]),
      [['ten', true]],
    );
  }

  test('runs the page of the docs as written on its creator’s machine, with the boards of its service.json', async () => {
    await using site = await serve(files);
    const { page, said } = await open(site.url);
    await playsTheExample(page);
    assert.equal(
      said.filter((line) => /no service is behind this page/u.test(line)).length,
      2,
      'once a load',
    );
    assert.equal(said.length, 2, said.join('\n'));
    assert.equal(await page.evaluate("Spaceport.run('laps').catch(({ code }) => code)"), 'not_found');
    assert.equal(await page.evaluate('Spaceport.env'), 'local');
    await page.goto(`${site.url}?spaceport=signed-in`);
    assert.equal(await page.evaluate('Spaceport.player.get().guest'), false);
    await page.goto(`${site.url}?spaceport=offline`);
    assert.equal(await page.evaluate("Spaceport.scores.top('taps').catch(({ code }) => code)"), 'offline');
    await page.close();
  });

  test('runs the published page alone on its own origin, where the tag in the page changes nothing', async () => {
    const creator = await service.creator();
    const { 'service.json': declared, ...published } = files;
    const { boards, achievements } = JSON.parse(String(declared));
    const { space } = await publishLive(service, creator, published, { boards, achievements });
    const { page, said } = await open(service.service.platform.urls.live(space.slug));
    await playsTheExample(page);
    assert.deepEqual(said, []);
    assert.deepEqual(
      await page.evaluate('[Spaceport.env, Spaceport.version, Spaceport.player.get().guest]'),
      ['live', 1, true],
    );
    await page.close();
  });

  test('serves a guest on the page of the service with the same calls, and restores the save', async () => {
    const creator = await service.creator();
    const { 'service.json': declared, ...published } = files;
    const { boards, achievements } = JSON.parse(String(declared));
    const { space } = await publishLive(service, creator, published, { boards, achievements });
    const { page } = await open(service.service.platform.urls.page(space.slug));
    const game = page.frameLocator('iframe.frame');
    await game.getByText('Round 1', { exact: true }).waitFor();
    for (let taps = 0; taps < 10; taps++) await game.locator('#tap').click();
    await game.locator('#end').click();
    await game.getByText('10 taps, best 10, rank 1. Round 2').waitFor();
    await page.reload();
    await game.getByText('Round 2', { exact: true }).waitFor();
    await page.close();
  });

  test('runs the game of the docs in plain JavaScript on its machine and on the page of the service', async () => {
    const written = await plainJavaScript(service.baseUrl);
    const plays = async (game: Page | FrameLocator, reload: () => Promise<unknown>) => {
      await game.getByText('Level 1', { exact: true }).waitFor();
      await game.getByRole('button', { name: 'Start' }).click();
      const press = game.getByRole('button', { name: 'Press!' });
      await press.click();
      await game.getByText('1 at level 1').waitFor();
      await game.getByRole('button', { name: 'Again' }).waitFor();
      await game.getByText(/^\d+, best \d+, rank 1$/u).waitFor();
      await reload();
      await game.getByText('Level 2', { exact: true }).waitFor();
    };
    await using site = await serve(written);
    const local = await open(site.url);
    await plays(local.page, () => local.page.reload());
    assert.equal(local.said.length, 2, local.said.join('\n'));
    await local.page.close();
    const { 'service.json': declared, ...published } = written;
    const { boards, achievements } = JSON.parse(String(declared));
    const creator = await service.creator();
    const { space } = await publishLive(service, creator, published, { boards, achievements });
    const { page } = await open(service.service.platform.urls.page(space.slug));
    await plays(page.frameLocator('iframe.frame'), () => page.reload());
    await page.close();
  });

  test('is shared with a page of the space in an inner frame', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator, {
      'index.html': '<!doctype html><title>x</title><iframe src="menu.html"></iframe>',
      'menu.html': '<!doctype html><title>menu</title>',
    });
    const { page } = await open(service.service.platform.urls.live(space.slug));
    const frame = page.frames()[1];
    assert.ok(frame);
    await frame.waitForFunction('self.Spaceport !== undefined');
    assert.equal(await frame.evaluate('Spaceport === parent.Spaceport'), true);
    await page.close();
  });

  test('works where the browser refuses all storage', async () => {
    // The frame belongs to another site and is sandboxed without an origin: its storage throws, and no page
    // of the service is around it.
    await using site = await serve({ 'index.html': '<!doctype html><title>x</title>' });
    const { page } = await open(site.url);
    const script = await service.get(`${service.baseUrl}/sdk.js`);
    const document = `<script>${script.text().replaceAll('</', '<\\/')}</script>`;
    await page.evaluate(`{
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = ${JSON.stringify(document)};
      document.body.append(frame);
    }`);
    await page.waitForFunction('frames.length === 1');
    const frame = page.frames()[1];
    assert.ok(frame);
    await frame.waitForFunction('self.Spaceport !== undefined');
    const saved = await frame.evaluate(
      "Spaceport.saves.set('a', { level: 3 }).then(() => Spaceport.saves.get('a'))",
    );
    assert.deepEqual((saved as { data: unknown }).data, { level: 3 });
    await page.close();
  });
});

/** Serves a folder as a creator's local server does. */
async function serve(files: Files) {
  const types: Record<string, string> = {
    html: 'text/html',
    js: 'text/javascript',
    json: 'application/json',
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').split('?')[0]?.slice(1) || 'index.html';
    const file = files[name];
    if (file === undefined) return void response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
    response.setHeader('content-type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
