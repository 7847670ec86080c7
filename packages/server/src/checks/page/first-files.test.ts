import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserSetting, openBrowser } from '../../../test/browser.ts';
import { publishLive } from '../../../test/files.ts';
import { startService } from '../../../test/service.ts';

describe('the files that a page requests first', () => {
  it('are sent to browsers as hints after a check has seen them', async () => {
    const environment = { BROWSER: browserSetting(), CHECK_SECONDS: '100' };
    const service = await startService({ environment });
    try {
      const creator = await service.creator();
      const { space, version } = await publishLive(service, creator, {
        'index.html': `<!doctype html><title>Moon</title><h1>Moon</h1><script type="module" src="main.js"></script>`,
        'main.js': 'import "./chunks/level.js";',
        'chunks/level.js':
          'fetch("moon.json").then((answer) => answer.json()); new Image().src = "moon.png";',
        'moon.json': '{"craters":3}',
        'moon.png': 'x',
      });
      const { url } = await creator.client.readSpace({ params: { slug: space.slug } });
      assert.equal(
        (await service.get(`${url}~${version.number}/`)).headers.link,
        '<./main.js>; rel=modulepreload, <./chunks/level.js>; rel=modulepreload, <./moon.json>; rel=preload; as=fetch; crossorigin',
      );
    } finally {
      await service.close();
    }
  });

  it('leave a page its import map, at the address of its version', async () => {
    const environment = { BROWSER: browserSetting(), CHECK_SECONDS: '100' };
    const service = await startService({ environment });
    try {
      await using browser = await openBrowser();
      const creator = await service.creator();
      const { space, version } = await publishLive(service, creator, {
        'index.html':
          '<!doctype html><title>Moon</title><script type="importmap">{"imports":{"moon":"./lib/moon.js"}}</script><script type="module" src="main.js"></script>',
        'main.js': 'import { phase } from "moon"; document.body.textContent = phase;',
        'lib/moon.js': 'export const phase = "full";',
      });
      const { url } = await creator.client.readSpace({ params: { slug: space.slug } });
      const page = await browser.newPage();
      await page.goto(`${url}~${version.number}/`);
      await page.getByText('full', { exact: true }).waitFor();
    } finally {
      await service.close();
    }
  });
});
