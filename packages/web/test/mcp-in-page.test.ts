import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import type { Wish } from './mcp-page.ts';
import { openContext } from './walk.ts';

describe('an MCP client in a page of another site', () => {
  let service: TestService;
  let browser: Browser;
  let ada: SignedUp;
  let site: Server;
  let address: string;
  before(async () => {
    const script = await bundle('mcp-page.ts');
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ada = await signUp(service, { handle: 'ada' });
    site = createServer((request, response) => {
      const isScript = request.url === '/program.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(
        isScript ? script : '<title>Inspector</title><script type="module" src="/program.js"></script>',
      );
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    site?.close();
  });

  for (const mode of [{ pin: '2026-07-28' }, 'legacy'] satisfies Wish['mode'][])
    it(`calls tools, signs its user in, and revokes its token (${JSON.stringify(mode)})`, async () => {
      const server = service.baseUrl;
      const context = await openContext(browser, undefined, { url: server, as: ada });
      const page = await context.newPage();
      const ready = () => page.waitForFunction(() => 'giveBack' in window);
      const use = (wish: Omit<Wish, 'server' | 'mode'>) =>
        page.evaluate((whole) => window.useTool(whole), { server, mode, ...wish });
      await page.goto(address);
      await ready();
      const { tools, result } = await use({ tool: 'docs' });
      assert.equal(tools, 8);
      assert.match(String(result.markdown), /^# /u);

      // Publishing without an account is not allowed from visitors' networks, so the page sends the person to
      // sign in.
      const files = [{ path: 'index.html', text: '<!doctype html><title>Mine</title>' }];
      const publish = { tool: 'publish', args: { files, wait: 0 } };
      const leaving = page.waitForURL(`${server}/oauth/authorize?*`);
      // The call ends with an error when the browser leaves the page.
      const left = use(publish).catch(() => {});
      await leaving;
      await left;
      await page.getByRole('button', { name: 'Yes, allow it', exact: true }).click();
      await page.waitForURL(`${address}?*`);
      await ready();
      const published = await use({ ...publish, isBack: true });
      assert.match(String(published.result.previewUrl), /^http/u, JSON.stringify(published));

      assert.equal(await page.evaluate((one) => window.giveBack(one), server), 200);
      assert.deepEqual((await ada.call('GET', '/api/account/tokens')).json().tokens, []);
      await context.close();
    });
});

/** Bundles a script of this folder for a browser. */
async function bundle(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, name), formats: ['es'], fileName: 'program' },
    },
  });
  assert.ok(Array.isArray(built));
  const [first] = built;
  assert.ok(first && first.output.length === 1);
  return first.output[0].code;
}
