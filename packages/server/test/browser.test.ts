import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { machineBrowserPath } from '../src/platform/browser/find-browser.ts';
import { openBrowser } from './browser.ts';

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<title>${request.headers.host}</title><canvas></canvas>`);
});
let port: number;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

for (const which of ['machine', 'npm'] as const) {
  const missing = which === 'machine' && machineBrowserPath() === null;
  describe(`the browser from ${which}`, { skip: missing && 'this machine has no Chromium' }, () => {
    let browser: Browser;
    let page: Page;
    before(async () => {
      browser = await openBrowser(which);
      page = await browser.newPage();
    });
    after(() => browser.close());

    it('resolves every name under localhost to this machine', async () => {
      await page.goto(`http://my-game.play.localhost:${port}/`);
      assert.equal(await page.title(), `my-game.play.localhost:${port}`);
      assert.equal(await page.evaluate(() => isSecureContext), true);
    });

    it('draws with WebGL', async () => {
      const pixel = await page.evaluate(() => {
        const context = document.querySelector('canvas')?.getContext('webgl2');
        if (!context) return null;
        context.clearColor(1, 0, 0, 1);
        context.clear(context.COLOR_BUFFER_BIT);
        const read = new Uint8Array(4);
        context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, read);
        return [...read];
      });
      assert.deepEqual(pixel, [255, 0, 0, 255]);
    });

    it('draws text and input fields', async () => {
      const width = await page.evaluate(() => {
        document.body.innerHTML =
          '<span>iiii</span><form><input type="password"><textarea></textarea></form>';
        return document.querySelector('span')?.offsetWidth;
      });
      assert.ok(Number(width) > 4, String(width));
      await page.screenshot();
      assert.equal(await page.evaluate(() => document.forms.length), 1);
    });

    it('takes screenshots', async () => {
      const image = await page.screenshot();
      assert.equal(image.subarray(1, 4).toString(), 'PNG');
    });

    it('reaches no other host', async () => {
      await assert.rejects(page.goto('http://example.com/'), /ERR_NAME_NOT_RESOLVED/u);
      await assert.rejects(page.goto('http://192.0.2.1/'), /ERR_NAME_NOT_RESOLVED/u);
    });
  });
}
